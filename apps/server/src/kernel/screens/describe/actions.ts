import type { ActionView, AssignView } from '@outpost/contract/views'
import { callOf, openOf, type Catalogue } from '../catalogue.ts'
import type { ActionDefinition, Ctx } from '../../types.ts'
import { compact, describeField } from './fields.ts'

/** Actions whose route the caller may call, or whose screen he may open. */
export function describeActions(ctx: Ctx, catalogue: Catalogue, actions: readonly ActionDefinition[] = []): ActionView[] {
  return actions.flatMap((action) => {
    const [call, opened] = [callOf(ctx, catalogue, action.route), openOf(ctx, catalogue, action.open)]
    if (!call && opened === undefined) return []
    const { route, key = route, label, scope, form, undo, assign, ...rest } = action
    const fields = form && Object.entries(form).map(([name, field]) => describeField(ctx, catalogue, name, field))
    const people = assign && describeAssign(ctx, catalogue, assign)
    if (assign && !people) return []
    return [
      { key: key ?? '', label, scope, ...rest, ...compact({ call, form: fields, undo: callOf(ctx, catalogue, undo), assign: people }) },
    ]
  })
}

/** Undefined for callers who may not see whom they could choose. */
function describeAssign(
  ctx: Ctx,
  catalogue: Catalogue,
  { candidates, undo, load }: NonNullable<ActionDefinition['assign']>,
): AssignView | undefined {
  const call = callOf(ctx, catalogue, candidates)
  return call && { candidates: call, load, ...compact({ undo: callOf(ctx, catalogue, undo) }) }
}
