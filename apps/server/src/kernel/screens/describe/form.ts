import type { FieldView } from '@outpost/contract/fields'
import type { FormView, InlineView } from '@outpost/contract/views'
import { companyDay } from '../../days.ts'
import { isComputed } from '../../relations/relations.ts'
import { fieldOf } from '../../resource/define.ts'
import type { AnyResource, CheckDefinition, Ctx, FieldDefinition, Screen } from '../../types.ts'
import { moveActions } from '../../workflow/describe.ts'
import type { CommonStates } from '../../workflow/types.ts'
import { callOf, editScreenOf, openOf, routeOf, screenOf, type Catalogue } from '../catalogue.ts'
import { describeActions } from './actions.ts'
import { compact, requirePart, describeField, type ViewOf } from './fields.ts'

/** A form view: edits the record of the path's id, or creates one. */
export function describeForm(
  ctx: Ctx,
  catalogue: Catalogue,
  { title, path, offline, takesId }: Screen,
  view: ViewOf<'form'>,
  states: CommonStates = new Map(),
): FormView {
  const { resource } = view
  const { actions = resource.actions, check, ...said } = view.overrides ?? {}
  const isEdit = takesId === true || path.includes('/:')
  const described = (key: string) => describeAsked(ctx, catalogue, { key, field: fieldOf(resource, key), isEdit })
  const fields = new Map(rowsOf(resource).flatMap((row) => row.map((key) => [key, described(key)] as const)))
  const rows = rowsOf(resource).map((row) => row.filter((key) => fields.get(key) !== undefined))
  const load = isEdit ? callOf(ctx, catalogue, view.load ?? routeOf(catalogue, resource, 'get')) : undefined
  const submit = callOf(ctx, catalogue, view.submit ?? routeOf(catalogue, resource, isEdit ? 'update' : 'create'))
  return {
    kind: 'form',
    title,
    resource: resource.one,
    one: resource.one,
    idKey: 'Id',
    titleKey: resource.title,
    fields: [...fields.values()].filter((field) => field !== undefined),
    sections: [{ rows: rows.filter((row) => row.length > 0) }],
    ...(load ? { load } : {}),
    submit: requirePart(submit, resource, isEdit ? 'update' : 'create'),
    after: view.after ?? screenOf(ctx, catalogue, resource, 'list') ?? '/',
    ...(offline && resource.offline === 'read-write' ? { offline: resource.one } : {}),
    actions: isEdit
      ? describeActions(ctx, catalogue, [...moveActions(ctx, resource, states), ...(actions ?? [])]).filter(
          (action) => action.scope === 'row',
        )
      : [],
    ...said,
    ...compact({ check: describeCheck(ctx, catalogue, check) }),
  }
}

/** The form's rows as they are declared, or one for each field that can be set. */
function rowsOf(resource: AnyResource): readonly (readonly string[])[] {
  const isSettable = (field: FieldDefinition) => !field.readOnly && !isComputed(field)
  return (
    resource.form ??
    Object.keys(resource.fields)
      .filter((key) => isSettable(fieldOf(resource, key)))
      .map((key) => [key])
  )
}

/** A field as the form asks it; undefined where it does not, and for those who may not see what it refers to. */
function describeAsked(
  ctx: Ctx,
  catalogue: Catalogue,
  { key, field, isEdit }: { key: string; field: FieldDefinition; isEdit: boolean },
): FieldView | undefined {
  const { askedIn, begins, createOnly, editHelp, isBeside } = field
  if (askedIn !== undefined && (askedIn === 'edit') !== isEdit) return undefined
  const { readOnly, ...view } = describeField(ctx, catalogue, key, field)
  if (field.kind === 'multiReference' && field.to !== undefined && !view.reference) return undefined
  const isFixed = !isBeside && (readOnly || (isEdit && createOnly))
  return {
    ...view,
    ...(isFixed ? { readOnly: true } : {}),
    ...(isEdit && editHelp !== undefined ? { help: editHelp } : {}),
    ...(isEdit || begins === undefined ? {} : begins === 'today' ? { defaultValue: companyDay(ctx) } : { defaultHour: begins }),
  }
}

/**
 * The fields of the edit form that are in the list as well, when the form saves through the resource's update call.
 * Not those a list masks, nor those whose place in the form depends on others; and no removed or narrowed list.
 */
export function describeInline(ctx: Ctx, catalogue: Catalogue, resource: AnyResource, source: string | undefined): InlineView | undefined {
  const edit = editScreenOf(ctx, catalogue, resource)
  const updating = routeOf(catalogue, resource, 'update')
  const isPlain = source === undefined || source === routeOf(catalogue, resource, 'list')
  if (!isPlain || edit?.view.kind !== 'form' || (edit.view.submit ?? updating) !== updating) return undefined
  const { submit, one, fields, offline } = describeForm(ctx, catalogue, edit, edit.view)
  const shown = fields.filter(
    ({ key, readOnly, sensitive, visibleIf }) =>
      !readOnly && !sensitive && !visibleIf && resource.fields[key]?.detailOnly !== true && !resource.fields[key]?.isBeside,
  )
  return shown.length === 0 ? undefined : { submit, one, fields: shown, ...(offline === undefined ? {} : { offline }) }
}

/** Undefined for callers who may not ask; the way to the record found only for those who may open it. */
function describeCheck(ctx: Ctx, catalogue: Catalogue, check: CheckDefinition | undefined): FormView['check'] {
  const call = callOf(ctx, catalogue, check?.route)
  if (!check || !call) return undefined
  const { route: _, open, ...rest } = check
  return { call, ...rest, ...compact({ open: openOf(ctx, catalogue, open) }) }
}
