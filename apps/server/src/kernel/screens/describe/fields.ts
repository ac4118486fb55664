import type { FieldView } from '@outpost/contract/fields'
import { isComputed } from '../../relations/relations.ts'
import { callOf, openOf, routeOf, screenOf, type Catalogue } from '../catalogue.ts'
import type { AnyResource, Ctx, FieldDefinition, Screen } from '../../types.ts'
import { resourceNamed } from '../../resource/define.ts'

export type ViewOf<Kind> = Extract<Screen['view'], { kind: Kind }>

/** A field as the console receives it. Where its options come from is shown only to callers who may ask there. */
export function describeField(ctx: Ctx, catalogue: Catalogue, key: string, field: FieldDefinition): FieldView {
  const { kind, label, help, required, readOnly, min, max, maxLength, fromFile, options, defaultValue, visibleIf, requiredIf, sensitive } =
    field
  const isFixed = readOnly || isComputed(field)
  // A text of which some values have a word: it is shown by the word, and as it is where there is none.
  const isWorded = kind === 'text' && options !== undefined
  return {
    key,
    kind: isWorded ? 'choice' : kind,
    label,
    ...compact({
      help,
      required,
      readOnly: isFixed ? true : undefined,
      min,
      max,
      maxLength,
      fromFile,
      options: options && [...options],
      defaultValue,
      visibleIf,
      requiredIf,
      sensitive,
      reference: describeReference(ctx, catalogue, field),
      fills: describeFills(ctx, catalogue, field),
      fields: describeLine(ctx, catalogue, field),
      currency: field.currency,
      opens: openOf(ctx, catalogue, field.opens),
      drawnBy: field.drawnBy,
    }),
  }
}

/** The fields of a line; the column of the record it belongs to is none of them. */
function describeLine(ctx: Ctx, catalogue: Catalogue, { of, by }: FieldDefinition): FieldView[] | undefined {
  return (
    of &&
    Object.entries(of.fields)
      .filter(([key, { detailOnly }]) => key !== by && !detailOnly)
      .map(([key, field]) => describeField(ctx, catalogue, key, field))
  )
}

/** A choice among rows of the company's own has its options in the view (fillChoices). */
function describeReference(ctx: Ctx, catalogue: Catalogue, { to, from }: FieldDefinition): FieldView['reference'] {
  const target = to === undefined || from ? undefined : resourceNamed(to)
  const call = target && callOf(ctx, catalogue, routeOf(catalogue, target, 'list'))
  if (!target || !call) return undefined
  const screen = screenOf(ctx, catalogue, target, 'view') ?? screenOf(ctx, catalogue, target, 'edit')
  return { to: target.one, path: call.path, many: target.many, idKey: 'Id', labelKey: target.title, ...compact({ screen }) }
}

/** How a form reads the record that a reference names, to fill in what it says; for those who may read it. */
function describeFills(ctx: Ctx, catalogue: Catalogue, { to, fills }: FieldDefinition): FieldView['fills'] {
  const target = to === undefined || !fills ? undefined : resourceNamed(to)
  const load = target && callOf(ctx, catalogue, routeOf(catalogue, target, 'get'))
  return target && load && fills ? { load, one: target.one, keys: [...fills] } : undefined
}

/** Without the keys that say nothing. */
export function compact<Given extends object>(given: Given): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]?: Exclude<Given[Key], undefined>
  }
}

/** What a screen is nothing without. */
export function requirePart<Value>(value: Value | undefined, resource: AnyResource, what: string): Value {
  if (value === undefined)
    throw new Error(`A screen of ${resource.one} is open to a caller who may not ${what} it: give both the same permission`)
  return value
}
