import type { Option } from '@outpost/contract/fields'
import type { AnyResource, Ctx } from '../types.ts'
import type { CommonStates, MoveDefinition, OwnState, OwnStates, Row, WorkflowDefinition } from './types.ts'

/** The workflows of a resource, one a field. */
export const workflowsOf = ({ workflow }: Pick<AnyResource, 'workflow'>): readonly WorkflowDefinition[] =>
  [workflow ?? []].flat() as readonly WorkflowDefinition[]

/** Where new records begin, by field, as far as the program knows the states. */
export function firstStates(resource: Pick<AnyResource, 'workflow'>): Record<string, string> {
  return Object.fromEntries(
    workflowsOf(resource).flatMap(({ field, states }) => (hasOwnStates(states) ? [] : [[field, Object.keys(states)[0] ?? '']])),
  )
}

/** The declared states of a field, as its options. */
export function stateOptions(resource: Pick<AnyResource, 'workflow'>, key: string): Option[] {
  const states = workflowsOf(resource).find(({ field }) => field === key)?.states ?? {}
  if (hasOwnStates(states)) return []
  return Object.entries(states).map(([value, { colour }]) => ({ value, label: value, ...(colour === undefined ? {} : { colour }) }))
}

/** True when a move of the resource asks for a second person; with values: one that leads to a state they hold. */
export const asksSecond = (resource: Pick<AnyResource, 'workflow'>, values?: Row): boolean =>
  workflowsOf(resource).some(({ field, moves }) =>
    moves.some(({ fourEyes, to }) => fourEyes !== undefined && (!values || to === values[field])),
  )

/** States that are the company's own rows: `read` gives those that a record may be in. */
export function from({ one }: Pick<AnyResource, 'one'>, states: Omit<OwnStates, 'to'>): OwnStates {
  return { to: one, ...states }
}

export const hasOwnStates = (states: WorkflowDefinition['states']): states is OwnStates => typeof states['read'] === 'function'

/** The states that a record may be in; those the program knows have their name as id. */
export function statesOf(ctx: Ctx, { states }: WorkflowDefinition, record: Row): Promise<readonly OwnState[]> {
  return hasOwnStates(states)
    ? states.read(ctx, record)
    : Promise.resolve(Object.entries(states).map(([id, { meaning }]) => ({ id, name: id, meaning })))
}

/** States of the resource's workflows that are rows of the company and known before a record is, by field. */
export async function commonStates(ctx: Ctx, resource: Pick<AnyResource, 'workflow'>): Promise<CommonStates> {
  const own = workflowsOf(resource).flatMap(({ field, states }) => (hasOwnStates(states) && states.isCommon ? [{ field, states }] : []))
  return new Map(await Promise.all(own.map(async ({ field, states }) => [field, await states.read(ctx, {})] as const)))
}

/** Moves that leave the state, with the states they lead to. The company's own rows are named by what they mean; one that says nothing is open. */
export function movesFrom(
  workflow: WorkflowDefinition,
  state: string,
  states: readonly OwnState[],
): { move: MoveDefinition; to: OwnState }[] {
  const own = states.find(({ id }) => id === state)
  const present = hasOwnStates(workflow.states) ? (own?.meaning ?? 'open') : state
  const beside = own?.within ? states.filter(({ within }) => within?.id === own.within?.id) : states
  return workflow.moves
    .filter(({ from: left }) => left === '*' || left.includes(present))
    .flatMap((move) => goalsOf(workflow, move, beside).map((to) => ({ move, to })))
}

/** The states that a move leads to. */
export function goalsOf(
  { states: declared }: WorkflowDefinition,
  { to }: MoveDefinition,
  states: readonly OwnState[],
): readonly OwnState[] {
  const nameOf = ({ id, meaning }: OwnState) => (hasOwnStates(declared) ? meaning : id)
  return states.filter((state) => !state.isRetired && (to === '*' || to === nameOf(state)))
}

/** States that may follow each of the known ones, as far as `isOpen` lets a move pass. */
export function followers(
  workflow: WorkflowDefinition,
  known: readonly OwnState[],
  isOpen: (move: MoveDefinition) => boolean = () => true,
): Record<string, string[]> {
  const open = { ...workflow, moves: workflow.moves.filter(isOpen) }
  return Object.fromEntries(
    known.map(({ id }) => [id, [...new Set(movesFrom(open, id, known).map(({ to }) => to.id))].filter((to) => to !== id)]),
  )
}

/** The states that are known before a record is: those of the program, or the company's that all records have in common. */
export function knownStates({ field, states }: WorkflowDefinition, common: CommonStates): readonly OwnState[] {
  return hasOwnStates(states) ? (common.get(field) ?? []) : Object.entries(states).map(([id, { meaning }]) => ({ id, name: id, meaning }))
}

/** Throws when a workflow is not sound: its moves name states that are none, or ask for what nothing keeps. */
export function assertWorkflow(
  { one, isSoftDeleted, fields, offline }: Pick<AnyResource, 'one' | 'isSoftDeleted' | 'fields' | 'offline'>,
  workflow: WorkflowDefinition,
): void {
  const { states, moves, kept = {}, field, log, partOf, path = [] } = workflow
  const wrong = (what: string) => {
    throw new Error(`workflow of ${one}: ${what}`)
  }
  const isOnDevices = offline === 'read-write' && !['server', undefined].includes(fields[field]?.merge)
  const isKnown = (state: string) => hasOwnStates(states) || Object.hasOwn(states, state)
  if (log !== 'own' && !partOf && !isSoftDeleted) wrong('its log would remain without the record: it must be isSoftDeleted')
  if (!fields[field]?.readOnly) wrong(`${field} must be readOnly, it goes by moves alone`)
  if (new Set(moves.map(({ name }) => name)).size < moves.length) wrong('a move is named twice')
  const astray = path.find((state) => !isKnown(state))
  if (astray !== undefined) wrong(`its path names the unknown state ${astray}`)
  for (const { name, from: left, to, ask = {}, after } of moves) {
    const unknown = [...(left === '*' ? [] : left), ...(to === '*' ? [] : [to])].find((state) => !isKnown(state))
    if (unknown !== undefined) wrong(`${name} names the unknown state ${unknown}`)
    const lost = Object.keys(ask).find((key) => !Object.hasOwn(kept, key) && (isOnDevices || (key !== 'reason' && !after)))
    if (lost !== undefined) wrong(`${name} asks for ${lost}, which is kept nowhere`)
  }
}
