import { fail, failField, Failure } from '@outpost/contract/errors'
import { holds } from '@outpost/contract/fields'
import { changedColumns } from '../resource/unchanged.ts'
import type { Batch, Writing } from '../resource/writing.ts'
import { isPermitted } from '../session/permission.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { refuseOwnWork } from './four-eyes.ts'
import { hasOwnStates, movesFrom, statesOf, workflowsOf } from './states.ts'
import type { MoveDefinition, Moving, OwnState, Row, Step, WorkflowDefinition } from './types.ts'
import { inSentence } from '../in-sentence.ts'

/** The steps that a change makes. Refusals: ILLEGAL_TRANSITION with the moves there are, FORBIDDEN, INVALID naming what was not given. */
export async function checkMoves(batch: Batch, writing: Writing): Promise<Step[]> {
  const steps: Step[] = []
  for (const workflow of workflowsOf(batch.resource)) {
    const step = await checkMove(batch, writing, workflow)
    if (step) steps.push(step)
  }
  return steps
}

async function checkMove(
  batch: Batch,
  { change, id, before = {}, given }: Writing,
  workflow: WorkflowDefinition,
): Promise<Step | undefined> {
  const { field, kept = {} } = workflow
  if (change.kind !== 'update' || given[field] === undefined) return undefined
  const called = change.move?.field === field ? change.move : undefined
  const [from, to] = [wordOf(before[field]), wordOf(given[field])]
  if (from === to && !called) return undefined
  const asked = { ...Object.fromEntries(Object.entries(kept).map(([name, column]) => [name, given[column]])), ...called?.asked }
  const moving: Moving = { id, from, to, before, given, asked }
  const states = await statesOf(batch.ctx, workflow, before)
  if (!hasOwnStates(workflow.states) && !states.some((one) => one.id === to)) failField(field, 'is not one of its states')
  const move = await chooseMove(batch, workflow, {
    moving,
    states,
    name: called?.name,
    isCalled: called !== undefined || batch.isSync,
    isGeneric: called?.isGeneric === true || (called === undefined && batch.isSync),
  })
  refuseUnanswered(move, moving)
  if (move.fourEyes) {
    refuseMore(batch.resource, workflow, moving)
    if (!(await mayBeAlone(batch.ctx, move, moving))) await refuseOwnWork(batch, { id, before }, move.fourEyes)
  }
  await refuse(batch.ctx, { resource: batch.resource, workflow, states, move }, moving)
  const nameOf = (state: string) => states.find(({ id: one }) => one === state)?.name
  return from === to
    ? undefined
    : {
        workflow,
        move,
        moving,
        words: {
          from: nameOf(from) ?? (from || null),
          to: nameOf(to) ?? to,
          meaning: states.find(({ id: one }) => one === to)?.meaning ?? null,
        },
        columns: keptBy(workflow, move, asked),
      }
}

const mayBeAlone = async (ctx: Ctx, { alone }: MoveDefinition, moving: Moving) =>
  alone !== undefined && holds(alone.if, moving.before) && (await alone.holds(ctx, moving))

/** A reason is that of this move, also where it asks for none. */
function keptBy({ kept = {} }: WorkflowDefinition, { ask = {} }: MoveDefinition, asked: Row): Row {
  const names = Object.keys(kept).filter((name) => name === 'reason' || Object.hasOwn(ask, name))
  return Object.fromEntries(names.map((name) => [kept[name] as string, asked[name] ?? null]))
}

const wordOf = (value: unknown) => (value === null || value === undefined ? '' : String(value as string))

interface Choosing {
  moving: Moving
  states: readonly OwnState[]
  name?: string | undefined
  /** By a person, not by code that goes with it. */
  isCalled: boolean
  /** By a call for all moves or a device's change: what another call makes is refused, for its code would be missing. */
  isGeneric: boolean
}

/** The move that leads there: the named one, else the first that the caller may make. */
async function chooseMove(
  { ctx, resource }: Batch,
  workflow: WorkflowDefinition,
  { moving, states, name, isCalled, isGeneric }: Choosing,
): Promise<MoveDefinition> {
  const { from, to } = moving
  const legal = movesFrom(workflow, from, states).filter(({ move: { madeBy, name: own } }) => {
    if (madeBy === 'elsewhere') return !isGeneric
    return name === own || ((madeBy !== 'program' || !isCalled) && madeBy !== 'undo')
  })
  const fitting = legal.filter(({ move, to: { id } }) => id === to && (name === undefined || move.name === name)).map(({ move }) => move)
  const nameOf = (state: string) => states.find(({ id }) => id === state)?.name ?? state
  if (fitting.length === 0) {
    const elsewhere =
      hasOwnStates(workflow.states) && !states.some(({ id, isRetired }) => id === to && !isRetired) ? workflow.states : undefined
    if (elsewhere?.invalid !== undefined) failField(workflow.field, elsewhere.invalid)
    const the = (await workflow.subject?.(ctx, moving.before)) ?? `The ${inSentence(resource.label)}`
    const message = elsewhere
      ? elsewhere.elsewhere
      : from === to
        ? `${the} is ${nameOf(to)} already.`
        : `${the} is ${nameOf(from)} and cannot become ${nameOf(to)}.`
    fail('ILLEGAL_TRANSITION', { ...(message === undefined ? {} : { message }), details: allowedOf(workflow, legal, moving) })
  }
  return (
    fitting.find(({ access }) => !access || isPermitted(ctx, access)) ??
    fail('FORBIDDEN', { message: `You may not make this move: ${nameOf(from)} to ${nameOf(to)}.` })
  )
}

const isProgramOnly = (madeBy: MoveDefinition['madeBy']) => madeBy === 'program' || madeBy === 'undo'

/** The states that may follow and the moves that lead there, for those who were refused. */
function allowedOf(
  { states }: WorkflowDefinition,
  legal: readonly { move: MoveDefinition; to: OwnState }[],
  { from, before, given }: Moving,
): Record<string, unknown> {
  const record = { ...before, ...given }
  const open = legal.filter(
    ({ move: { onlyIf, madeBy }, to: { id } }) => id !== from && !isProgramOnly(madeBy) && (!onlyIf || holds(onlyIf, record)),
  )
  const goals = [...new Map((hasOwnStates(states) ? legal : open).map(({ to }) => [to.id, to])).values()]
  return {
    allowed: hasOwnStates(states)
      ? goals.map(({ id: Id, name, meaning }) => ({ Id, name, ...(meaning ? { meaning } : {}) }))
      : goals.map(({ id }) => id),
    moves: [...new Set(open.map(({ move }) => move.name))],
  }
}

function refuseUnanswered({ ask = {} }: MoveDefinition, { asked }: Moving): void {
  const missing = Object.entries(ask).filter(([key, { required }]) => required && wordOf(asked[key]).trim() === '')
  if (missing.length > 0) fail('INVALID', { fields: missing.map(([field]) => ({ field, message: 'is required' })) })
}

/** What a second person lets pass is the record as the first one left it: the move changes nothing else. */
function refuseMore(resource: AnyResource, { field, kept = {} }: WorkflowDefinition, { before, given }: Moving): void {
  const others = Object.keys(changedColumns(resource, before, given)).filter((key) => key !== field && !Object.values(kept).includes(key))
  if (others.length > 0) fail('INVALID', { fields: others.map((key) => ({ field: key, message: 'may not change with this decision' })) })
}

interface Refusing {
  resource: AnyResource
  workflow: WorkflowDefinition
  states: readonly OwnState[]
  move: MoveDefinition
}

async function refuse(ctx: Ctx, { resource, workflow, states, move }: Refusing, moving: Moving): Promise<void> {
  const record: Row = { ...moving.before, ...moving.given, [workflow.field]: moving.from }
  const reason =
    (await move.refuse?.(ctx, moving)) ??
    (move.onlyIf && !holds(move.onlyIf, record)
      ? `This ${inSentence(resource.label)} does not fulfil what ${move.label ?? move.name} asks.`
      : undefined)
  if (reason)
    throw new Failure('ILLEGAL_TRANSITION', {
      message: reason,
      details: allowedOf(workflow, movesFrom(workflow, moving.from, states), moving),
    })
}
