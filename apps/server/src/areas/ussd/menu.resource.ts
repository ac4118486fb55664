import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { takeTurn } from '@outpost/platform/db/turn'
import { may } from '../../kernel/area.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { isSameLines } from '../../kernel/relations/same-lines.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { deeds, itemFaults, standardItems, standardMenu, type Menu, type MenuItem } from './menu.items.ts'

/** One line of a menu as the phone shows it. */
export const ussdMenuItem = defineResource({
  model: 'ussdMenuItem',
  one: 'ussdMenuItem',
  many: 'ussdMenuItems',
  label: 'Item',
  labelMany: 'Items',
  title: 'name',
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 40, help: 'Items below it say this name' },
    under: { kind: 'text', label: 'In the menu of', maxLength: 40, help: 'Empty: the first menu' },
    label: { kind: 'text', label: 'On the phone', required: true, maxLength: 40 },
    does: { kind: 'choice', label: 'Does', required: true, options: [...deeds] },
    position: { kind: 'number', label: 'Position', readOnly: true, detailOnly: true },
  },
  list: { columns: ['name', 'under', 'label', 'does'], sort: ['position', 'ASC'], size: 100 },
})

const edit = may('ADMIN/SETTINGS')

/** A version of the menus. One is in force; sessions that run go on in the version they began in. */
export const ussdMenu = defineResource({
  model: 'ussdMenu',
  one: 'ussdMenu',
  many: 'ussdMenus',
  label: 'USSD menu',
  labelMany: 'USSD menus',
  title: 'menuNumber',
  writtenBy: 'company',
  isSoftDeleted: true,
  workflow: {
    field: 'state',
    route: 'ussd.moveMenu',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Published: { meaning: 'done', colour: 'green' },
      Retired: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Draft', 'Published', 'Retired'],
    moves: [
      { name: 'publish', label: 'Publish', from: ['Draft'], to: 'Published', access: edit },
      { name: 'retire', label: 'Retire', from: ['Published'], to: 'Retired', access: edit, danger: true },
    ],
  },
  fields: {
    menuNumber: recordNumber({ prefix: 'M-', digits: 3 }, 'Version'),
    state: { kind: 'choice', label: 'State', readOnly: true },
    note: { kind: 'text', label: 'What is new', maxLength: 300 },
    payTo: { kind: 'text', label: 'Where clients pay', maxLength: 60, help: 'As they are told it: Paybill 600638' },
    items: { kind: 'lines', label: 'Items', of: ussdMenuItem, by: 'menuId', min: 1, max: 60 },
    publishedAt: { kind: 'dateTime', label: 'Published', readOnly: true },
    publishedByUserId: { kind: 'reference', label: 'Published by', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['menuNumber', 'state', 'note', 'payTo', 'publishedAt', 'publishedByUserId', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    filters: ['state', 'dateCreated'],
    empty: { title: 'No menu of your own yet', body: 'Phones show the menu that comes with the program until you publish one.' },
  },
  form: [['payTo', 'note'], ['items']],
  actions: [
    { open: '/clients/ussd/simulator?menu=:Id', key: 'try', label: 'Try in the simulator', scope: 'row' },
    { route: 'ussd.newMenu', label: 'New draft from the menu in force', scope: 'page' },
  ],
  prepare: prepareMenu,
})

type Row = ModelRow<'ussdMenu'>
async function prepareMenu(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { items, ...given } = input as Partial<Row> & { items?: MenuItem[] }
  if (before && before.state !== 'Draft') {
    const stored = await getRecord(ctx, resourceNamed('ussdMenu') ?? fail('NOT_FOUND'), id)
    const isOther = (['note', 'payTo'] as const).some((key) => Object.hasOwn(given, key) && (given[key] ?? null) !== before[key])
    if (isOther || (items && !isSameLines(stored['items'], items)))
      fail('CONFLICT', { message: 'A published menu never changes: sessions pin it. Begin a new draft.' })
  }
  const faults = items ? itemFaults(items) : []
  if (faults.length > 0) fail('INVALID', { fields: faults })
  if (kind === 'create') return { createdByUserId: ctx.user.id }
  if (given.state !== 'Published') return {}
  // The one in force gives way; who publishes at the same moment waits here.
  await takeTurn(ctx.sql, `ussd menu ${ctx.company.id}`)
  await ctx.sql.exec(
    sql`update ussd_menu set "state" = 'Retired', "version" = "version" + 1, "dateModified" = now() where "companyId" = ${ctx.company.id}::uuid and "state" = 'Published' and "id" <> ${id}::uuid`,
  )
  return { publishedAt: new Date(), publishedByUserId: ctx.user.id }
}

type MenuRow = Omit<Menu, 'items'> & { items: MenuItem[] | null }
const columns = sql`m."id", m."number", m."payTo", (select json_agg(json_build_object('name', i."name", 'under', i."under", 'label', i."label", 'does', i."does") order by i."position")
  from ussd_menu_item i where i."companyId" = m."companyId" and i."menuId" = m."id") as items`

/** The menu in force, or the one that comes with the program. */
export async function menuInForce(ctx: Ctx): Promise<Menu> {
  const row = await ctx.sql.maybe<MenuRow & Record<string, unknown>>(
    sql`select ${columns} from ussd_menu m where m."companyId" = ${ctx.company.id}::uuid and m."state" = 'Published' and m."deletedAt" is null`,
  )
  return row ? { ...row, items: row.items ?? standardItems } : standardMenu
}

/** A version by its id, in whatever state; null: the one that comes with the program. */
export async function menuOf(ctx: Ctx, id: string | null): Promise<Menu> {
  if (id === null) return standardMenu
  const row = await ctx.sql.maybe<MenuRow & Record<string, unknown>>(
    sql`select ${columns} from ussd_menu m where m."companyId" = ${ctx.company.id}::uuid and m."id" = ${id}::uuid`,
  )
  return row ? { ...row, items: row.items ?? [] } : fail('NOT_FOUND')
}
