import { failField } from '@outpost/contract/errors'
import type { Access } from '@outpost/contract/permissions'
import { identifier, sql } from '@outpost/platform/db/sql'
import { route } from '../area.ts'
import { create, get, list, remove, update } from '../resource/operations.ts'
import { formOf, listOf, screen } from '../screens/screen.ts'
import type { MenuPlace } from '../screens/menu-place.ts'
import type { AnyResource, Ctx, PrepareWrite, Route, Screen } from '../types.ts'
import { choicesOf } from './choices.ts'
import { from } from '../workflow/states.ts'
import type { OwnState, OwnStates } from '../workflow/types.ts'

/** Colours are meanings in the console, so that they hold their contrast in all themes. */
const colourOptions = [
  ['blue', 'Blue'],
  ['cyan', 'Cyan'],
  ['purple', 'Purple'],
  ['gold', 'Gold'],
  ['orange', 'Orange'],
  ['green', 'Green'],
  ['red', 'Red'],
  ['default', 'Grey'],
].map(([value = '', label = '']) => ({ value, label, colour: value }))
const activeOptions = [
  { value: '1', label: 'Active', colour: 'green' },
  { value: '0', label: 'Inactive' },
]

/** Fields of rows that a company, branch or team keeps as options of other records (kind choice, from). */
export const optionFields = {
  name: { kind: 'text', label: 'Name', required: true, maxLength: 60 },
  status: { kind: 'choice', label: 'Active', options: activeOptions, defaultValue: 1, help: 'Inactive ones are not offered any more' },
  default: { kind: 'boolean', label: 'Default', help: 'Chosen when nothing else is' },
  colour: { kind: 'choice', label: 'Colour', options: colourOptions },
  position: { kind: 'number', label: 'Position', min: 0, max: 1_000, help: 'Smaller ones come first' },
  tenantId: { kind: 'reference', label: 'Tenant', to: 'tenant', readOnly: true },
  dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
} as const

const { tenantId: _, ...ofCompany } = optionFields
/** The same of rows that the whole company shares, whose table has no tenant. */
export const companyOptionFields = ofCompany

/** What such a row means to rules and reports where it is a state, whatever the company calls it. */
export const meaningField = {
  kind: 'choice',
  label: 'Means',
  required: true,
  options: [
    { value: 'open', label: 'To be done', colour: 'gold' },
    { value: 'started', label: 'In progress', colour: 'blue' },
    { value: 'done', label: 'Done', colour: 'green' },
    { value: 'cancelled', label: 'Cancelled', colour: 'default' },
  ],
  help: 'What reports and rules make of it',
} as const

/** How they are options: coloured, while they are active, in their order. */
export const optionChoices = { colour: 'colour', active: 'status', preset: 'default', order: 'position' } as const

interface OptionRow {
  tenantId?: string
  status: number
  default: boolean
}

/** For their `prepare`: one default a tenant (or in the company, where they are shared), and an active one. */
export async function keepOneDefault(
  ctx: Ctx,
  { table, isShared = false }: Pick<AnyResource, 'table'> & { isShared?: boolean },
  { kind, input, before, id }: PrepareWrite<OptionRow>,
): Promise<void> {
  if (kind === 'remove') return
  const isDefault = input.default ?? before?.default ?? false
  if (isDefault && (input.status ?? before?.status ?? 1) !== 1) failField('default', 'must be active')
  if (input.default)
    await ctx.sql.exec(sql`update ${identifier(table)} set "default" = false, "dateModified" = now()
      where "companyId" = ${ctx.company.id} and ${isShared ? sql`true` : sql`"tenantId" = ${before?.tenantId ?? ctx.tenant.id}`} and "default" and "id" <> ${id}`)
}

/** Such rows, with a `meaning`, as the states of a workflow: inactive ones are left and not entered. */
export function ownStates(resource: AnyResource, invalid: string): OwnStates {
  const table = identifier(resource.table)
  return from(resource, {
    isCommon: true,
    invalid,
    read: (ctx) =>
      ctx.sql.query<OwnState & Record<string, unknown>>(sql`
        select "id", "name", "meaning", "status" <> 1 as "isRetired" from ${table} where "companyId" = ${ctx.company.id} order by "position", "name"`),
    // Those that new records in the caller's tenant may have.
    columns: async (ctx) =>
      (await choicesOf(ctx, resource)).filter(({ isOffered }) => isOffered).map(({ value, label, colour }) => ({ value, label, colour })),
  })
}

/** The id of the row that a new record begins with: the default, else the first on offer; null without any. */
export async function presetOf(ctx: Ctx, resource: AnyResource): Promise<string | null> {
  const offered = (await choicesOf(ctx, resource)).filter(({ isOffered }) => isOffered)
  return (offered.find(({ isDefault }) => isDefault) ?? offered[0])?.value ?? null
}

/** Their calls: list, get, create, update and remove under one path, for one permission. */
export function optionRoutes(resource: AnyResource, { name, path, access }: { name: string; path: string; access: Access }): Route[] {
  const own = { own: true }
  return [
    route(`${name}.list`, 'GET', path, access, list(resource), own),
    route(`${name}.get`, 'GET', `${path}/:id`, access, get(resource), own),
    route(`${name}.create`, 'POST', path, access, create(resource), own),
    route(`${name}.remove`, 'POST', `${path}/delete`, access, remove(resource), own),
    route(`${name}.update`, 'PUT', `${path}/:id`, access, update(resource), own),
  ]
}

/** Their screens: the list with its place in the menu, and the forms. */
export const optionScreens = (
  resource: AnyResource,
  { path, access, menu }: { path: string; access: Access; menu: MenuPlace },
): Screen[] => [
  screen(path, access, listOf(resource), { menu }),
  screen(`${path}/add`, access, formOf(resource)),
  screen(`${path}/edit/:id`, access, formOf(resource)),
]
