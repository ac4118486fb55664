import { failureText } from '@outpost/platform/failures'
import type { Verdict } from '@outpost/contract/assigning'
import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { recordAnswer } from '../resource/answers.ts'
import { columnOf, fieldOf } from '../resource/define.ts'
import { writeRecords } from '../resource/pipeline.ts'
import { idSchema } from '../resource/schema.ts'
import { valueSchema } from '../resource/values.ts'
import type { Change, Verdict as Written } from '../resource/writing.ts'
import type { OfflineCommand } from '../sync/offline-command.ts'
import type { AnyResource, Operation } from '../types.ts'
import { workflowsOf } from './states.ts'
import type { Row, WorkflowDefinition } from './types.ts'
import { inSentence } from '../in-sentence.ts'

interface MoveCall {
  /** Name of the body's key that holds the state, where it is not the field's own; such a call names states only. */
  by?: string
  /** The one move that the call makes; its body names none. */
  move?: string
  /** What the answer says, by the record as it is now. */
  message?: (record: Row) => string
}
type MoveInput = Record<string, unknown>

const verdictsAnswer = z.strictObject({
  results: z.array(z.strictObject({ Id: identifierSchema, isDone: z.boolean(), message: z.string().optional() })),
})

/**
 * Moves the record of the path or of the body's id: by a move's name ({move}) or to a state ({<field>}), with what the move
 * asks; answers data.<one>. Refusals: ILLEGAL_TRANSITION (details.allowed, details.moves), FORBIDDEN, INVALID, CONFLICT, NOT_FOUND.
 */
export function move(resource: AnyResource, call: MoveCall = {}): Operation<MoveInput> {
  const reading = readerOf(resource, call)
  return {
    kind: 'command',
    resource,
    isReadOnly: false,
    answer: recordAnswer(resource),
    input: z
      .strictObject({ id: idSchema, version: z.int().min(0).optional(), ...reading.shape })
      .superRefine(reading.check) as z.ZodType<MoveInput>,
    run: async (ctx, { id, version, ...body }) => {
      const [written] = await writeRecords(ctx, resource, [
        { ...changeOf(reading, String(id), body), version: version as number | undefined },
      ])
      const record = recordOf(written)
      return { data: { [resource.one]: record }, message: call.message?.(record) ?? `${resource.label} updated successfully` }
    },
  }
}

/** The same for the records of the body's ids, 500 at most: answers data.results, a verdict on each. */
export function moveMany(resource: AnyResource, call: Omit<MoveCall, 'message'> = {}): Operation<MoveInput> {
  const reading = readerOf(resource, call)
  return {
    kind: 'command',
    resource,
    isReadOnly: false,
    answer: verdictsAnswer,
    input: z.strictObject({ ids: z.array(idSchema).min(1).max(500), ...reading.shape }).superRefine(reading.check) as z.ZodType<MoveInput>,
    run: async (ctx, { ids, ...body }) => {
      const wanted = [...new Set((ids as string[]).map((id) => id.toLowerCase()))]
      const written = await writeRecords(
        ctx,
        resource,
        wanted.map((id) => changeOf(reading, id, body)),
        { onRefusal: 'report' },
      )
      const results = written.map(({ id, failure }): Verdict =>
        failure ? { Id: id, isDone: false, message: failureText(failure) } : { Id: id, isDone: true },
      )
      const done = results.filter(({ isDone }) => isDone).length
      return {
        data: { results },
        message: `${done} ${done === 1 ? inSentence(resource.label) : inSentence(resource.labelMany)} updated`,
      }
    },
  }
}

/** The same move as a device keeps it, as a call of its own: the call's own input, for the line that mounts move(). */
export function moveLater(resource: AnyResource, { label, ...call }: MoveCall & { label: string }): OfflineCommand<MoveInput> {
  const reading = readerOf(resource, call)
  return {
    entity: resource.one,
    field: 'move',
    label,
    input: z.object(reading.shape).superRefine(reading.check) as z.ZodType<MoveInput>,
    run: async (ctx, id, input) => {
      const [written] = await writeRecords(ctx, resource, [changeOf(reading, id, input)])
      return { ...recordOf(written) }
    },
  }
}

interface Reading {
  workflow: WorkflowDefinition
  key: string
  only: string | undefined
  shape: z.ZodRawShape
  check: (input: MoveInput, issues: z.RefinementCtx) => void
}

function readerOf(resource: AnyResource, { by, move: only }: MoveCall): Reading {
  const workflow = workflowsOf(resource).find(({ moves }) => only === undefined || moves.some(({ name }) => name === only))
  if (!workflow) throw new Error(`${resource.one} has no workflow${only === undefined ? '' : ` with a move ${only}`}`)
  const { field } = workflow
  const moves = workflow.moves.filter(({ name, madeBy }) => (only === undefined ? madeBy === undefined : name === only))
  const key = by ?? field
  const state = valueSchema({ ...fieldOf(resource, field), required: true }, columnOf(resource, field))
  const asked = Object.fromEntries(
    moves
      .flatMap(({ ask = {} }) => Object.entries(ask))
      .map(([name, one]) => [
        name,
        only !== undefined && one.required ? valueSchema(one, undefined) : valueSchema({ ...one, required: false }, undefined).optional(),
      ]),
  )
  const isOpen = moves.every(({ to }) => to === '*')
  const named = {
    move: z.enum(moves.map(({ name }) => name) as [string, ...string[]]).optional(),
    [key]: isOpen ? state : state.optional(),
  }
  const goal = only !== undefined ? {} : by === undefined ? named : { [key]: state }
  return {
    workflow,
    key,
    only,
    shape: { ...asked, ...goal },
    check: (input, issues) => {
      if (only !== undefined || isOpen || (input[key] === undefined) !== (input['move'] === undefined)) return
      if (input[key] === undefined || moves.find(({ name }) => name === input['move'])?.to !== '*')
        issues.addIssue({ code: 'custom', path: [key], message: `give ${key} or move` })
    },
  }
}

function changeOf(
  { workflow: { field, moves }, key, only }: Reading,
  id: string,
  { move: named, ...body }: MoveInput,
): Extract<Change, { kind: 'update' }> {
  const { [key]: state, ...asked } = body
  const name = only ?? (named as string | undefined)
  const to = state ?? moves.find((one) => one.name === name)?.to
  return { kind: 'update', id, input: { [field]: to }, move: { field, asked, name, isGeneric: only === undefined } }
}

function recordOf(written: Written | undefined): Row {
  if (!written?.record) throw new Error('the record was moved and is not given back')
  return written.record
}
