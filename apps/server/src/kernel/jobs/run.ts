import { Failure } from '@outpost/contract/errors'
import { transactionIn } from '@outpost/platform/db/context'
import { LostTry } from '@outpost/platform/fence'
import { counter } from '@outpost/platform/http/metrics'
import type { Log } from '@outpost/platform/log'
import {
  enqueue,
  extendLease,
  failOutbox,
  finishOutbox,
  holdOutbox,
  ownsOutbox,
  startOutbox,
  type OutboxTicket,
  type StartedTry,
} from '@outpost/platform/outbox'
import { inSpan, type SpanOptions } from '@outpost/platform/trace'
import type { Sql } from '@outpost/platform/types'
import { makeJobCtx } from '../session/jobs.ts'
import type { SessionServices } from '../session/services.ts'
import type { Ctx } from '../types.ts'
import { endingOf } from './dead.ts'
import { runFenced } from './fence.ts'
import type { JobDefinition } from './types.ts'

export interface JobRunner {
  services: SessionServices
  definitions: ReadonlyMap<string, JobDefinition>
  log: Log
  /** As long as the relay's: a running job renews it three times in that time. */
  leaseMs: number
}

/** Runs one try of an outbox entry and writes down how it ended. Throws only when even that was not possible. */
export async function runTicket(runner: JobRunner, sent: OutboxTicket, signal: AbortSignal): Promise<void> {
  const started = await asProgram(runner, sent, (sql) => startOutbox(sql, sent, runner.leaseMs))
  // Sent twice and started by the other one.
  if (!started) return
  const { ticket } = started
  const log = runner.log.child({ job: ticket.type, outbox: ticket.id, attempt: ticket.attempt })
  try {
    await inSpan(`job ${ticket.type}`, spanOf(started), () => runTry(runner, started, signal))
    tries.inc({ job: ticket.type, outcome: 'done' })
  } catch (error) {
    if (error instanceof LostTry) return void log.warn('the job was given to another worker meanwhile')
    const state = await asProgram(runner, ticket, (sql) => fail(sql, runner, ticket, error))
    tries.inc({ job: ticket.type, outcome: state === 'dead' ? 'dead' : 'failed' })
    if (state === 'dead') log.error({ err: error }, 'job is dead')
    else log.warn({ err: error }, state ? 'job failed, another try follows' : 'job failed, and was given to another worker meanwhile')
  }
}

/** Each try is a span in the trace of the request (or job) that enqueued it; retries appear beside each other. */
const spanOf = ({ ticket, trace }: StartedTry): SpanOptions => ({
  kind: 'job',
  parent: trace,
  attributes: { 'job.type': ticket.type, 'job.id': ticket.id, 'job.attempt': ticket.attempt, 'company.id': ticket.companyId },
})

const tries = counter('jobs_tries', 'Tries of jobs by how they ended', ['job', 'outcome'])

async function fail(sql: Sql, { definitions }: JobRunner, ticket: OutboxTicket, error: unknown): Promise<'new' | 'dead' | undefined> {
  const state = await failOutbox(sql, ticket, messageOf(error), isHopeless(error))
  const ending = state === 'dead' ? endingOf(definitions, ticket) : undefined
  if (ending) await enqueue(sql, ending)
  return state
}

async function runTry(runner: JobRunner, { ticket, payload }: StartedTry, signal: AbortSignal): Promise<void> {
  const definition = runner.definitions.get(ticket.type)
  if (!definition) throw new UnrecoverableJob(`There is no job named ${ticket.type}`)
  const tenantId = typeof payload.tenantId === 'string' ? payload.tenantId : null
  const ctx = await makeJobCtx(runner.services, { companyId: ticket.companyId, userId: ticket.userId, tenantId })
  if (definition.ownTransaction) await runFreely({ runner, definition, ctx, ticket, payload, signal })
  else await runWhole({ runner, definition, ctx, ticket, payload, signal })
}

interface Try {
  runner: JobRunner
  definition: JobDefinition
  ctx: Ctx
  ticket: OutboxTicket
  payload: Record<string, unknown>
  signal: AbortSignal
}

/** Effect and "done" commit together. */
async function runWhole({ definition, ctx, ticket, payload, signal }: Try): Promise<void> {
  await ctx.transaction(async (inner) => {
    if (!(await holdOutbox(inner.sql, ticket))) throw new LostTry()
    await definition.run(inner, payload, { id: ticket.id, attempt: ticket.attempt, signal })
    if (!(await finishOutbox(inner.sql, ticket))) throw new LostTry()
  })
}

async function runFreely({ runner, definition, ctx, ticket, payload, signal }: Try): Promise<void> {
  const lost = new AbortController()
  const onLost = (error: LostTry) => lost.abort(error)
  const isOurs = () => asProgram(runner, ticket, (sql) => ownsOutbox(sql, ticket))
  const renew = async () => {
    if (!(await asProgram(runner, ticket, (sql) => extendLease(sql, ticket, runner.leaseMs)))) onLost(new LostTry())
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => runner.log.warn({ err: error, outbox: ticket.id }, 'a lease could not be renewed'))
  }, runner.leaseMs / 3)
  try {
    const job = { id: ticket.id, attempt: ticket.attempt, signal: AbortSignal.any([signal, lost.signal]) }
    await runFenced({ ctx, ticket, isOurs, onLost }, (fenced) => definition.run(fenced, payload, job))
  } finally {
    clearInterval(timer)
  }
  if (!(await asProgram(runner, ticket, (sql) => finishOutbox(sql, ticket)))) throw new LostTry()
}

function asProgram<Result>({ services }: JobRunner, { companyId }: OutboxTicket, run: (sql: Sql) => Promise<Result>): Promise<Result> {
  return transactionIn(services.pools.app, { company: companyId, scope: '*', user: null, tenant: null }, run)
}

/** Trying again would change nothing. */
export class UnrecoverableJob extends Error {}

function isHopeless(error: unknown): boolean {
  if (error instanceof UnrecoverableJob) return true
  return error instanceof Failure && ['USER_DISABLED', 'TENANT_FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'INVALID'].includes(error.failure)
}

const messageOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
