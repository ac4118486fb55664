import { randomUUID } from 'node:crypto'
import { readerIn, transactionIn } from '@outpost/platform/db/context'
import type { Pools } from '@outpost/platform/db/pool'
import { prisma } from '@outpost/platform/db/prisma'
import { trusted } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { DbContext, Sql } from '@outpost/platform/types'
import type { Actor, Ctx, Program, WriteSource } from '../types.ts'
import type { Identity } from './identity.ts'
import type { PersonRow } from './identity-query.ts'

export interface CtxParts {
  pools: Pick<Pools, 'app' | 'stream'>
  identity: Identity
  log: Log
  program: Program
  requestId?: string
  ip?: string | null
  source?: WriteSource
}

type Effect = Parameters<Ctx['afterCommit']>[0]

/** Makes the ctx of a request, socket message, job or sync batch: the one place that does. */
export function makeCtx({ pools, identity, log, program, requestId = randomUUID(), ip = null, source = 'online' }: CtxParts): Ctx {
  const user = toActor(identity.person)
  const context: DbContext = { company: identity.company.id, scope: identity.scope, user: user.id, tenant: identity.tenant.id }
  const own = log.child({ requestId, userId: user.id, companyId: identity.company.id })
  const base = {
    user,
    realUser: identity.actor ? toActor(identity.actor) : user,
    company: identity.company,
    tenant: identity.tenant,
    scope: identity.scope,
    roles: identity.roles.map(({ name }) => name),
    permissions: identity.permissions,
    isGlobalAdministrator: identity.isGlobalAdministrator,
    source,
    sessionId: identity.session?.id ?? '',
    requestId,
    ip,
    log: own,
    program,
    db: prisma(),
  }
  const outer: Ctx = {
    ...base,
    sql: readerIn(pools.app, context, pools.stream),
    isTransaction: false,
    transaction: async (run) => {
      const effects: Effects = { depth: 0, before: [], after: [] }
      const result = await transactionIn(pools.app, context, async (sql) => {
        const value = await run(insideCtx(base, sql, effects))
        for (const effect of effects.before) await effect()
        return value
      })
      await runEffects(effects.after, outer)
      return result
    },
    beforeCommit: () => {
      throw new Error('beforeCommit was called outside a transaction')
    },
    afterCommit: (run) => void runEffects([run], outer),
  }
  return outer
}

/** Runs in the ctx's transaction, or in one of its own when there is none. */
export const inTransaction = <Result>(ctx: Ctx, run: (ctx: Ctx) => Promise<Result>): Promise<Result> =>
  ctx.isTransaction ? run(ctx) : ctx.transaction(run)

/** The same ctx for work that comes through another door. */
export function withSource(ctx: Ctx, source: WriteSource): Ctx {
  if (ctx.source === source) return ctx
  return { ...ctx, source, transaction: (run) => ctx.transaction((inner) => run(withSource(inner, source))) }
}

type CtxBase = Omit<Ctx, 'sql' | 'isTransaction' | 'transaction' | 'beforeCommit' | 'afterCommit'>

interface Effects {
  /** Transactions that it is inside of. */
  depth: number
  before: (() => Promise<void>)[]
  after: Effect[]
}

function insideCtx(base: CtxBase, sql: Sql, effects: Effects): Ctx {
  return {
    ...base,
    sql,
    isTransaction: true,
    transaction: (run) => nested(sql, effects, (inner) => run(insideCtx(base, sql, inner))),
    beforeCommit: (effect) => void effects.before.push(effect),
    afterCommit: (effect) => void effects.after.push(effect),
  }
}

/** A transaction inside one is a savepoint: what it did is undone alone, together with the effects it asked for. */
async function nested<Result>(sql: Sql, effects: Effects, run: (effects: Effects) => Promise<Result>): Promise<Result> {
  const own: Effects = { depth: effects.depth + 1, before: [], after: [] }
  const name = `inner_${own.depth}`
  await sql.exec(trusted(`savepoint ${name}`))
  try {
    const result = await run(own)
    await sql.exec(trusted(`release savepoint ${name}`))
    effects.before.push(...own.before)
    effects.after.push(...own.after)
    return result
  } catch (error) {
    await sql.exec(trusted(`rollback to savepoint ${name}`))
    throw error
  }
}

/** Effects come after the commit, so a failing one can only be logged: what was saved stays saved. */
async function runEffects(effects: readonly Effect[], ctx: Ctx): Promise<void> {
  for (const effect of effects) {
    try {
      await effect(ctx)
    } catch (error) {
      ctx.log.error({ err: error }, 'an effect after commit failed')
    }
  }
}

export function toActor({ id, companyId, firstName, lastName, userName, emailAddress, isProgram }: PersonRow): Actor {
  return { id, companyId, firstName, lastName, userName, emailAddress, isProgram }
}
