import type { Condition, FieldView } from '@outpost/contract/fields'
import type { ActionView, MovesView } from '@outpost/contract/views'
import { callOf, type Catalogue } from '../screens/catalogue.ts'
import { isPermitted } from '../session/permission.ts'
import type { ActionDefinition, AnyResource, BoardDefinition, Ctx, FieldDefinition, LayoutDefinition } from '../types.ts'
import { followers, goalsOf, hasOwnStates, knownStates, workflowsOf } from './states.ts'
import type { CommonStates, MoveDefinition, OwnState, State, WorkflowDefinition } from './types.ts'

interface Means {
  isOffline: boolean
  states: CommonStates
  describeField: (ctx: Ctx, catalogue: Catalogue, key: string, field: FieldDefinition) => FieldView
}

const mayMake =
  (ctx: Ctx) =>
  ({ access, madeBy }: MoveDefinition): boolean =>
    madeBy === undefined && (!access || isPermitted(ctx, access))

/** What may follow each state, by field, cut to the caller: cells, boards and devices offer it. States that depend on the record are not known here. */
export function describeMoves(ctx: Ctx, catalogue: Catalogue, resource: AnyResource, means: Means): ReadonlyMap<string, MovesView> {
  return new Map(
    workflowsOf(resource).flatMap((workflow) => {
      const view = describeWorkflow(ctx, catalogue, { resource, workflow, means })
      return view ? [[workflow.field, view] as const] : []
    }),
  )
}

interface Described {
  resource: AnyResource
  workflow: WorkflowDefinition
  means: Means
}

function describeWorkflow(
  ctx: Ctx,
  catalogue: Catalogue,
  { resource: { one, offline }, workflow, means: { isOffline, states, describeField } }: Described,
): MovesView | undefined {
  const { route, undo, kept, moves } = workflow
  const call = callOf(ctx, catalogue, route)
  const known = knownStates(workflow, states)
  const next = followers(workflow, known, (move) => mayMake(ctx)(move) && !move.route)
  if (!call || Object.values(next).every((values) => values.length === 0)) return undefined
  const asking = moves.filter((move) => !move.route)
  const later = isOffline && offline ? catalogue.routes.get(route)?.options.offline : undefined
  const back = callOf(ctx, catalogue, undo)
  return {
    call,
    one,
    next,
    kept: { ...kept },
    conditions: Object.fromEntries(
      asking.flatMap((move) => {
        const condition = conditionOf(move)
        return condition ? goalsOf(workflow, move, known).map(({ id }) => [id, condition]) : []
      }),
    ),
    forms: Object.fromEntries(
      asking.flatMap((move) => {
        const form = move.ask && Object.entries(move.ask).map(([key, field]) => describeField(ctx, catalogue, key, field))
        return form ? goalsOf(workflow, move, known).map(({ id }) => [id, form]) : []
      }),
    ),
    ...(back ? { undo: back } : {}),
    ...(isOffline && offline === 'read-write' ? { offline: one } : {}),
    ...(later
      ? {
          offline: one,
          later: { field: later.field, states: Object.fromEntries(known.map(({ id, name, meaning }) => [id, { name, meaning }])) },
        }
      : {}),
  }
}

/** Of which records a move makes sense for this caller, beside their state. */
function conditionOf({ onlyIf, fourEyes, alone }: MoveDefinition): Condition | undefined {
  const isOwn: Condition = { eq: ['isOwnWork', true] }
  const isBarred: Condition = alone ? { and: [isOwn, { not: alone.if }] } : isOwn
  const all = [...(onlyIf ? [onlyIf] : []), ...(fourEyes === true ? [{ not: isBarred } satisfies Condition] : [])]
  return all.length > 1 ? { and: all } : all[0]
}

/** The buttons of the resource's workflows: on a row and, where many can be moved in one call, on chosen rows. */
export function moveActions(ctx: Ctx, resource: AnyResource, states: CommonStates): ActionDefinition[] {
  return workflowsOf(resource).flatMap((workflow) =>
    workflow.choose === undefined
      ? workflow.moves.filter(mayMake(ctx)).flatMap((move) => buttonsOf(workflow, move))
      : choosing(resource, workflow, states),
  )
}

function buttonsOf({ field, route, many }: WorkflowDefinition, move: MoveDefinition): ActionDefinition[] {
  const { name, label = name, from, ask, danger, fourEyes, route: own } = move
  const condition = conditionOf(move)
  const inState: Condition[] = from === '*' ? [] : [{ in: [field, [...from]] }]
  const visibleIf: Condition = { and: [...inState, ...(condition ? [condition] : [])] }
  const button = { label, ...(own ? {} : { fixed: { move: name } }), ...(ask ? { form: ask } : {}), ...(danger ? { danger } : {}) }
  return [
    { ...button, route: own ?? route, key: own ?? `${route}.${name}`, scope: 'row', visibleIf, ...(fourEyes ? { isVersioned: true } : {}) },
    ...(many && !own ? [{ ...button, route: many, key: `${many}.${name}`, scope: 'bulk' as const, idField: 'ids', many: true }] : []),
  ]
}

/** One button that asks for the state, and for what the moves there ask. */
function choosing(resource: AnyResource, workflow: WorkflowDefinition, common: CommonStates): ActionDefinition[] {
  const { field, route, many, undo, choose = '', moves } = workflow
  const known = knownStates(workflow, common)
  const { readOnly: _, ...definition } = resource.fields[field] as FieldDefinition
  const state = definition.kind === 'reference' && known.length > 0 ? asChoice(definition, known) : definition
  const asked = Object.groupBy(
    moves.flatMap((move) =>
      Object.entries(move.ask ?? {}).map(([key, definition]) => ({ key, definition, goals: goalsOf(workflow, move, known) })),
    ),
    ({ key }) => key,
  )
  const form = Object.fromEntries(
    Object.entries(asked).map(([key, all = []]) => {
      const { required, ...definition } = (all[0] as { definition: FieldDefinition }).definition
      const when: Condition = { in: [field, [...new Set(all.flatMap(({ goals }) => goals.map(({ id }) => id)))]] }
      return [key, { ...definition, visibleIf: when, ...(required ? { requiredIf: when } : {}) }]
    }),
  )
  const button = { label: choose, form: { [field]: { ...state, required: true }, ...form }, ...(undo ? { undo } : {}) }
  // The route of one record takes many one after the other.
  const bulk = many && {
    ...button,
    route: many,
    key: `${many}.bulk`,
    scope: 'bulk' as const,
    ...(many === route ? {} : { idField: 'ids', many: true }),
  }
  return [{ ...button, route, scope: 'row' }, ...(bulk ? [bulk] : [])]
}

/** The state as one of the known ones, which a device can choose from too. */
function asChoice({ to: _, ...definition }: FieldDefinition, known: readonly OwnState[]): FieldDefinition {
  const isMixed = new Set(known.map(({ within }) => within?.id)).size > 1
  const options = known.map(({ id, name, within }) => ({ value: id, label: isMixed && within ? `${name} (${within.name})` : name }))
  return { ...definition, kind: 'choice', options }
}

/** The action that asks for a state goes the way of the cells: it offers what may follow, and works without a connection where they do. */
export function withMoves(actions: ActionView[], resource: AnyResource, views: ReadonlyMap<string, MovesView>): ActionView[] {
  return actions.map((action) => {
    const workflow = workflowsOf(resource).find(({ route, choose }) => choose !== undefined && route === action.key)
    const view = workflow && views.get(workflow.field)
    return workflow && view && action.scope === 'row'
      ? { ...action, moves: { ...view, key: workflow.field }, ...(view.offline === undefined ? {} : { offline: true }) }
      : action
  })
}

/** The board of a workflow cut to the caller: what its moves ask is asked for before a card goes into a column. */
export function withBoardMoves(layout: LayoutDefinition, resource: AnyResource, views: ReadonlyMap<string, MovesView>): LayoutDefinition {
  if (layout.kind !== 'kanban') return layout
  const view = views.get(layout.field)
  const route = workflowsOf(resource).find(({ field }) => field === layout.field)?.route
  if (layout.move && layout.move !== route) return layout
  return view && route ? { ...layout, move: route, ...(Object.keys(view.forms).length > 0 ? { moveForms: view.forms } : {}) } : layout
}

/** A board by the states of a workflow, for a list's `layouts`: a column for each state, known to the program or the company's own. */
export function boardOf(
  resource: AnyResource,
  { field, ...layout }: Omit<BoardDefinition, 'kind' | 'field' | 'columns' | 'columnsOf' | 'titleKey' | 'move'> & { field?: string },
): BoardDefinition {
  const workflow = workflowsOf(resource).find((one) => field === undefined || one.field === field)
  const own = workflow && hasOwnStates(workflow.states) ? workflow.states.columns : undefined
  if (!workflow || (hasOwnStates(workflow.states) && !own))
    throw new Error(`${resource.one} has no workflow with states for a board${field === undefined ? '' : ` in ${field}`}`)
  const board = { kind: 'kanban', field: workflow.field, titleKey: resource.title, ...layout } as const
  if (own) return { ...board, columns: [], columnsOf: own, move: workflow.route }
  const options = resource.fields[workflow.field]?.options ?? []
  const columns = Object.entries(workflow.states as Readonly<Record<string, State>>).map(
    ([value, { colour }]) => options.find((one) => one.value === value) ?? { value, label: value, ...(colour ? { colour } : {}) },
  )
  return { ...board, columns }
}

/** The layouts with the company's own rows as columns; a board without any is left out. */
export async function withOwnColumns(ctx: Ctx, layouts: readonly LayoutDefinition[]): Promise<LayoutDefinition[]> {
  const filled = await Promise.all(
    layouts.map(async (layout) => {
      if (layout.kind !== 'kanban' || !layout.columnsOf) return [layout]
      const { columnsOf, ...board } = layout
      const columns = await columnsOf(ctx)
      return columns.length === 0 ? [] : [{ ...board, columns }]
    }),
  )
  return filled.flat()
}
