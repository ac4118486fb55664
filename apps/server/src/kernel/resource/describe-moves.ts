import type { FieldView } from '@outpost/contract/fields'
import type { MovesView } from '@outpost/contract/views'
import { callOf, type Catalogue } from '../screens/catalogue.ts'
import { isPermitted } from '../session/permission.ts'
import type { MoveTarget } from '../moves.ts'
import type { AnyResource, Ctx, FieldDefinition } from '../types.ts'

interface Means {
  isOffline: boolean
  describeField: (ctx: Ctx, catalogue: Catalogue, key: string, field: FieldDefinition) => FieldView
}

/** The moves of a resource cut to the caller: values whose taking is closed to them are not offered; undefined when none is left. */
export function describeMoves(ctx: Ctx, catalogue: Catalogue, { one, moves, offline }: AnyResource, { isOffline, describeField }: Means): MovesView | undefined {
  const call = callOf(ctx, catalogue, moves?.route)
  if (!moves || !call) return undefined
  const targets = Object.entries(moves.to ?? {})
  const isOpen = (value: string) => { const access = moves.to?.[value]?.access; return !access || isPermitted(ctx, access) }
  const next = Object.fromEntries(Object.entries(moves.next).map(([from, values]) => [from, values.filter(isOpen)]))
  if (Object.values(next).every((values) => values.length === 0)) return undefined
  const undo = callOf(ctx, catalogue, moves.undo)
  return {
    call, one, next, kept: { ...moves.kept },
    conditions: Object.fromEntries(targets.flatMap(([value, { onlyIf }]) => onlyIf ? [[value, onlyIf]] : [])),
    forms: Object.fromEntries(targets.flatMap(([value, { form }]) => form ? [[value, fieldsOf(form)]] : [])),
    ...(undo ? { undo } : {}), ...(isOffline && offline === 'read-write' ? { offline: one } : {}),
  }
  function fieldsOf(form: NonNullable<MoveTarget['form']>): FieldView[] {
    return Object.entries(form).map(([key, field]) => describeField(ctx, catalogue, key, field))
  }
}
