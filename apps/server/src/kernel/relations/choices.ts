import type { FieldView, Option } from '@outpost/contract/fields'
import type { ActionView, DetailView, FormView, ListView } from '@outpost/contract/views'
import { hasColumn } from '../resource/define.ts'
import { fieldSql } from '../resource/read/columns.ts'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { ActionDefinition, AnyResource, Ctx, FieldDefinition } from '../types.ts'
import { moveActions } from '../workflow/describe.ts'
import type { CommonStates } from '../workflow/types.ts'

/** A row of the company's own as an option; `isOffered` for what may be chosen from now on. */
export interface CompanyChoice extends Option {
  isOffered: boolean
  isDefault: boolean
}

/** The company's rows of a resource as options, in their order. Those of a tenant beside the caller's carry its short code in brackets. */
export function choicesOf(ctx: Ctx, resource: AnyResource): Promise<CompanyChoice[]> {
  const { colour, active, preset, order } = resource.choices ?? {}
  const title = fieldSql(resource, resource.title)
  const isOurs = hasColumn(resource, 'tenantId') ? sql`t."tenantId" = any(${ctx.tenant.path}::uuid[])` : sql`true`
  const tenant = hasColumn(resource, 'tenantId') ? sql`join tenant b on b."companyId" = t."companyId" and b."id" = t."tenantId"` : sql``
  const label = hasColumn(resource, 'tenantId')
    ? sql`case when ${isOurs} then ${title} else ${title} || ' (' || b."shortCode" || ')' end`
    : title
  return ctx.sql.query<CompanyChoice>(sql`
    select t."id" as value, ${label} as label ${colour === undefined ? sql`` : sql`, coalesce(${identifier('t', colour)}, 'default') as colour`},
      ${active === undefined ? sql`true` : sql`${identifier('t', active)} = 1`} and (${isOurs} or ${ctx.tenant.type === 2}) as "isOffered",
      ${preset === undefined ? sql`false` : identifier('t', preset)} as "isDefault"
    from ${identifier(resource.table)} t ${tenant} where t."companyId" = ${ctx.company.id}
    order by ${join([...(order === undefined ? [] : [identifier('t', order)]), title, sql`t."id"`])}`)
}

type Described = ListView | FormView | DetailView
type Choices = ReadonlyMap<AnyResource, readonly CompanyChoice[]>

/** The view with the company's own options in its fields: all of them where records are shown, those on offer where one is chosen. Asks nothing where no field has such. */
export async function fillChoices<View extends Described>(
  ctx: Ctx,
  resource: AnyResource,
  view: View,
  states: CommonStates = new Map(),
): Promise<View> {
  const actions = [...moveActions(ctx, resource, states), ...(resource.actions ?? [])]
  const forms = actions.map(({ form }) => form ?? {})
  const sources = [...new Set([resource.fields, ...forms].flatMap((fields) => Object.values(fields).flatMap(({ from }) => from ?? [])))]
  if (sources.length === 0) return view
  const choices: Choices = new Map(await Promise.all(sources.map(async (source) => [source, await choicesOf(ctx, source)] as const)))
  const isForm = view.kind === 'form'
  const filled: View = {
    ...view,
    fields: fill(view.fields, resource.fields, { choices, isChosen: isForm }),
    actions: view.actions.map((action) => fillAction(action, actions, choices)),
  }
  return filled.kind === 'list' && filled.inline
    ? { ...filled, inline: { ...filled.inline, fields: fill(filled.inline.fields, resource.fields, { choices, isChosen: true }) } }
    : filled
}

/** Fields by themselves with the company's own options: all of them where values are shown, those on offer where one is chosen. */
export async function withChoices(
  ctx: Ctx,
  views: readonly FieldView[],
  definitions: Readonly<Record<string, FieldDefinition>>,
  isChosen: boolean,
): Promise<FieldView[]> {
  const sources = [...new Set(views.flatMap(({ key }) => definitions[key]?.from ?? []))]
  const choices = new Map(await Promise.all(sources.map(async (source) => [source, await choicesOf(ctx, source)] as const)))
  return fill(views, definitions, { choices, isChosen })
}

function fillAction(action: ActionView, actions: readonly ActionDefinition[], choices: Choices): ActionView {
  const definition = actions.find(({ route, key = route }) => key === action.key)
  return action.form && definition?.form ? { ...action, form: fill(action.form, definition.form, { choices, isChosen: true }) } : action
}

function fill(
  fields: readonly FieldView[],
  definitions: Readonly<Record<string, FieldDefinition>>,
  { choices, isChosen }: { choices: Choices; isChosen: boolean },
): FieldView[] {
  return fields.map((field) => {
    const { from, isPreset } = definitions[field.key] ?? {}
    const rows = from && choices.get(from)
    if (!rows) return field
    const preset = isChosen && isPreset ? rows.find(({ isDefault, isOffered }) => isDefault && isOffered) : undefined
    return {
      ...field,
      options: rows.filter(({ isOffered }) => !isChosen || isOffered).map(optionOf),
      ...(preset ? { defaultValue: preset.value } : {}),
    }
  })
}

const optionOf = ({ value, label, colour }: CompanyChoice): Option => ({ value, label, ...(colour === undefined ? {} : { colour }) })
