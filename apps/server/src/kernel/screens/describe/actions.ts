import type { ActionView, AssignView } from '@outpost/contract/views'
import { callOf, openOf, type Catalogue } from '../catalogue.ts'
import { isPermitted } from '../../session/permission.ts'
import type { ActionDefinition, Ctx } from '../../types.ts'
import { compact, describeField } from './fields.ts'

/** Actions whose route the caller may call, or whose screen he may open. */
export function describeActions(ctx: Ctx, catalogue: Catalogue, actions: readonly ActionDefinition[] = []): ActionView[] {
  return actions.flatMap((action) => {
    const [call, opened] = [callOf(ctx, catalogue, action.route), openedBy(ctx, catalogue, action)]
    if (!call && opened === undefined) return []
    const { route, key = route, label, scope, form, undo, warning, assign, asks, access: _, ...rest } = action
    const fields = form && Object.entries(form).map(([name, field]) => describeField(ctx, catalogue, name, field))
    const people = assign && describeAssign(ctx, catalogue, assign)
    if (assign && !people) return []
    return [
      {
        key: key ?? '',
        label,
        scope,
        ...rest,
        ...compact({
          call,
          form: fields,
          asks: callOf(ctx, catalogue, asks),
          undo: callOf(ctx, catalogue, undo),
          warning: callOf(ctx, catalogue, warning),
          assign: people,
        }),
      },
    ]
  })
}

/** The screen an action opens, or the console's own page under the action's own access. */
function openedBy(ctx: Ctx, catalogue: Catalogue, { open, access }: ActionDefinition): string | undefined {
  return access ? (isPermitted(ctx, access) ? open : undefined) : openOf(ctx, catalogue, open)
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
