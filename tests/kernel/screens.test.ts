import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { DashboardView, DetailView, FormView, ListView, View } from '@outpost/contract/views'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { anySession, defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { by, on } from '../../apps/server/src/kernel/screens/panels.ts'
import { history } from '../../apps/server/src/kernel/keeps/history.ts'
import { command, create, get, list, noInput, remove, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { consoleArea } from '../../apps/server/src/kernel/screens/console.area.ts'
import { built, custom, dashboard, detailOf, formOf, listOf, screen } from '../../apps/server/src/kernel/screens/screen.ts'
import type { SessionPart } from '../../apps/server/src/kernel/session/layout.ts'
import type { Area, BoardDefinition, Ctx } from '../../apps/server/src/kernel/types.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

const role = defineResource({
  model: 'role',
  one: 'role',
  many: 'roles',
  label: 'Role',
  labelMany: 'Roles',
  title: 'name',
  fields: { name: { kind: 'text', label: 'Name' } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 10 },
})
const label = defineResource({
  model: 'languageLabel',
  one: 'label',
  many: 'labels',
  label: 'Label',
  labelMany: 'Labels',
  title: 'label',
  fields: {
    label: { kind: 'text', label: 'Label', required: true, createOnly: true, maxLength: 40 },
    value: { kind: 'text', label: 'Word', help: 'What people read', visibleIf: { not: { eq: ['label', ''] } } },
    language: { kind: 'reference', label: 'Role', to: 'role' },
    loud: { kind: 'text', label: 'Loud', sql: 'upper(t."value")', detailOnly: true },
  },
  list: {
    columns: ['label', 'value'],
    search: ['label'],
    sort: ['label', 'ASC'],
    size: 100,
    dates: { changed: { label: 'Changed', field: 'value', window: { kind: 'all' } } },
  },
  form: [['label', 'value'], ['language']],
  offline: 'read-write',
  actions: [
    {
      route: 'labels.shout',
      label: 'Shout',
      scope: 'row',
      idField: 'id',
      form: { word: { kind: 'text', label: 'Word', required: true } },
      undo: 'labels.remove',
    },
    { route: 'labels.remove', label: 'Delete', scope: 'bulk', idField: 'ids', many: true, danger: true },
  ],
})

/** The same records under another name, whose screens nothing links to. */
const word = { ...label, one: 'word' }

const board: BoardDefinition = {
  kind: 'kanban',
  field: 'value',
  columns: [{ value: 'a', label: 'A' }],
  titleKey: 'label',
  lines: [],
  move: 'labels.update',
  summary: 'labels.list',
}

const both = may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES')
const area = defineArea({
  name: 'labels',
  resources: [label, role],
  routes: [
    route('labels.list', 'GET', '/api/labels', may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'), list(label)),
    route('labels.get', 'GET', '/api/labels/:id', may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'), get(label)),
    route('labels.history', 'GET', '/api/labels/:id/history', may('ADMIN/SETTINGS'), history(label)),
    route('labels.create', 'POST', '/api/labels', may('ADMIN/TEMPLATES/CREATE'), create(label)),
    route('labels.update', 'PUT', '/api/labels/:id', may('ADMIN/TEMPLATES/EDIT'), update(label)),
    route(
      'labels.shout',
      'POST',
      '/api/labels/shout',
      may('ADMIN/TEMPLATES/EDIT'),
      command(noInput, () => ({ data: {} })),
    ),
    route('labels.remove', 'POST', '/api/labels/delete', may('ADMIN/TEMPLATES/DELETE'), remove(label)),
    route('roles.list', 'GET', '/api/roles', may('ADMIN/ROLES'), list(role)),
  ],
  panels: [on('label', by(label, 'language', 'Translations')), on('label', by(role, 'name'))],
  menu: [
    { key: 'administration', label: 'Administration', icon: 'setting', order: 20, hiddenOffline: true },
    { key: 'sales', label: 'Sales', icon: 'rise', order: 10 },
    { key: 'empty', label: 'Empty', icon: 'star', order: 5 },
  ],
  screens: [
    screen(
      '/',
      anySession,
      custom('home', 'Dashboard', (ctx) => ({ who: ctx.user.id })),
      { offline: true, menu: { under: null, label: 'Dashboard', icon: 'dashboard', order: 0 } },
    ),
    screen('/sales/leads', may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'), listOf(label), {
      offline: true,
      menu: { under: 'sales', label: 'Leads', icon: 'funnel', order: 1 },
    }),
    screen(
      '/sales/board',
      may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'),
      listOf(label, { overrides: { layouts: [board, { kind: 'map', latKey: 'lat', lngKey: 'lng' }] } }),
    ),
    screen('/sales/leads/create', may('ADMIN/TEMPLATES/CREATE'), formOf(label), { offline: true }),
    screen('/sales/leads/edit/:id', may('ADMIN/TEMPLATES/EDIT'), formOf(label)),
    screen('/sales/leads/view/:id', may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'), detailOf(label)),
    screen(
      '/labels/:id/parts',
      may('ADMIN/SETTINGS', 'ADMIN/TEMPLATES'),
      detailOf(label, {
        panels: [
          {
            key: 'all',
            title: 'All',
            route: 'labels.list',
            value: 'labels',
            open: '/sales/leads/edit/:id',
            empty: { title: 'None' },
            fields: { label: { kind: 'text', label: 'Label' } },
            actions: [{ route: 'labels.shout', label: 'Shout', scope: 'row', visibleIf: { eq: ['value', 'x'] } }],
          },
          {
            key: 'roles',
            title: 'Roles',
            route: 'roles.list',
            value: 'roles',
            empty: { title: 'None' },
            fields: { name: { kind: 'text', label: 'Name' } },
          },
        ],
      }),
    ),
    screen(
      '/named/list',
      both,
      listOf(label, {
        calls: { shout: 'labels.shout' },
        refine: (_, seen, { shout }) => ({ ...seen, ...(shout ? { title: shout.path } : {}) }),
        overrides: {
          actions: [
            { route: 'labels.shout', label: 'Shout', scope: 'row' },
            { open: '/sales/leads/edit/:label', key: 'edit', label: 'Edit', scope: 'row' },
          ],
        },
      }),
    ),
    screen(
      '/named/form',
      both,
      formOf(word, {
        submit: 'labels.list',
        overrides: { check: { route: 'roles.list', fields: ['label'], message: 'There is one', open: '/sales/leads/edit/:id' } },
      }),
    ),
    screen(
      '/named/lenient',
      both,
      formOf(word, {
        submit: 'labels.list',
        overrides: { check: { route: 'labels.list', fields: ['label'], message: 'There is one', open: '/sales/leads/edit/:id' } },
      }),
    ),
    screen('/named/:id', both, detailOf(label, { edit: '/sales/leads/edit/:id' })),
    screen(
      '/named/tiles',
      both,
      dashboard({
        title: 'Tiles',
        widgets: ['labels.list', 'roles.list'].map((source) => ({
          id: source,
          title: source,
          draw: 'number',
          source,
          value: 'x',
          span: 6,
        })),
      }),
    ),
    screen(
      '/named/custom',
      both,
      custom('home', 'Named', (_, calls) => calls, { all: 'labels.list', roles: 'roles.list' }),
    ),
    screen(
      '/named/built',
      both,
      built((_, { roles }) => ({ kind: 'custom', title: 'Built', screen: 'home', data: { roles: roles ?? null } }), {
        roles: 'roles.list',
      }),
    ),
    screen('/admin/roles/list', may('ADMIN/ROLES'), listOf(role), {
      menu: { under: 'administration', label: 'Roles', icon: 'safety', order: 1 },
    }),
    screen('/admin/settings', may('ADMIN/USERS'), listOf(label)),
    screen('/extra', anySession, custom('home', 'Extra'), { menu: { under: 'sales', label: 'Extra', icon: 'star', order: 2 } }),
  ],
})

const tiles = { url: 'https://tiles.test/{z}/{x}/{y}.png', attribution: 'somebody' }

let world: World
let app: FastifyInstance
const sessionPart = ({ user, company, tenant }: Ctx): Promise<SessionPart> => {
  const selectedTenant = { Id: tenant.id, parentId: null, name: tenant.name, shortCode: tenant.shortCode, type: 2, locationRequired: false }
  return Promise.resolve({
    user: {
      Id: user.id,
      userName: user.userName,
      emailAddress: user.emailAddress,
      firstName: user.firstName,
      lastName: user.lastName,
      roles: [],
      permissions: [],
      rolepermissions: [],
      tenants: [selectedTenant],
      selectedTenant,
      tours: {},
      preferences: {},
      picture: null,
    },
    company: { Id: company.id, name: company.name, country: 'KE', currency: 'KES', timeZone: company.timeZone },
    maySwitchTenant: true,
    isFieldRole: false,
    landing: '/',
  })
}
beforeAll(async () => {
  world = await makeWorld()
  const { a, b } = world
  app = await appOf(
    { areas: [area, consoleArea({ areas: [area], sessionPart, version: '1.2', build: 'b7', tiles })] },
    {
      reader: ctxOf(world, a, { permissions: ['ADMIN/SETTINGS'] }),
      editor: ctxOf(world, a, { permissions: ['ADMIN/TEMPLATES', 'ADMIN/TEMPLATES/CREATE', 'ADMIN/TEMPLATES/EDIT', 'ADMIN/ROLES'] }),
      nobody: ctxOf(world, b),
      all: ctxOf(world, a, { permissions: permissionHierarchies }),
      odd: ctxOf(world, a, { permissions: ['ADMIN/USERS'] }),
    },
  )
  await world.database.admin.query('insert into language_label ("companyId", id, label, value) values ($1, gen_random_uuid(), $2, $3)', [
    a.id,
    'Lead',
    'Prospect',
  ])
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const ask = (who: string, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { authorization: who, ...headers } })
const layout = async (who: string) => (await ask(who, '/api/console')).json<{ data: ConsoleLayout }>().data
const view = async <Kind extends View>(who: string, id: string) =>
  (await ask(who, `/api/console/screens/${id}`)).json<{ data: { view: Kind } }>().data.view

describe('the layout', () => {
  it('holds a menu cut to the caller, in the order of the specification', async () => {
    expect((await layout('reader')).menu).toMatchObject([
      { label: 'Dashboard', path: '/' },
      { label: 'Sales', children: [{ label: 'Leads', path: '/sales/leads' }, { label: 'Extra' }] },
    ])
    expect((await layout('editor')).menu.map((entry) => [entry.label, entry.hiddenOffline ?? false])).toEqual([
      ['Dashboard', false],
      ['Sales', false],
      ['Administration', true],
    ])
    expect((await layout('nobody')).menu.map((entry) => entry.label)).toEqual(['Dashboard', 'Sales'])
    expect((await layout('nobody')).menu[1]?.children?.map((entry) => entry.label)).toEqual(['Extra'])
  })
  it('names every screen and says which are permitted, so that the guard knows absent from forbidden', async () => {
    const { screens } = await layout('reader')
    expect(screens).toHaveLength(area.screens.length)
    expect(screens.find((one) => one.path === '/sales/leads/edit/:id')).toEqual({
      id: 'sales-leads-edit-id',
      path: '/sales/leads/edit/:id',
      title: 'Edit label',
      layout: 'standard',
      offline: true,
      permitted: false,
      kind: 'form',
    })
    expect(screens.find((one) => one.path === '/')).toMatchObject({ id: 'home', permitted: true, offline: true })
  })
  it('says where maps find their tiles', async () => expect((await layout('reader')).company.tiles).toEqual(tiles))
  it("brings the company's words, version and clock", async () => {
    const { language, version, build, serverNow } = await layout('reader')
    expect({ language, version, build }).toEqual({
      language: [{ label: 'Lead', value: 'Prospect', language: 'en' }],
      version: '1.2',
      build: 'b7',
    })
    expect(Math.abs(Date.parse(serverNow) - Date.now())).toBeLessThan(5_000)
    expect((await layout('nobody')).language).toEqual([])
  })
})

describe('a view', () => {
  it('of a list has links and actions only where the caller may follow', async () => {
    const seen = await view<ListView>('reader', 'sales-leads')
    expect(seen).toMatchObject({
      kind: 'list',
      title: 'Labels',
      many: 'labels',
      source: { method: 'GET', path: '/api/labels' },
      actions: [],
      offline: true,
      search: true,
    })
    expect(seen.routes).toEqual({ view: '/sales/leads/view/:id' })
    expect(seen.columns).toEqual([
      { key: 'label', sortable: true },
      { key: 'value', sortable: true },
      { key: 'language', sortable: false, hidden: true },
    ])
    expect(seen.dateTypes).toEqual([{ value: 'changed', label: 'Changed', period: 'All time', field: 'value', window: { kind: 'all' } }])
    const more = await view<ListView>('editor', 'sales-leads')
    expect(more.routes).toEqual({ create: '/sales/leads/create', edit: '/sales/leads/edit/:id', view: '/sales/leads/view/:id' })
    expect(more.actions).toEqual([
      {
        key: 'labels.shout',
        label: 'Shout',
        scope: 'row',
        call: { method: 'POST', path: '/api/labels/shout' },
        idField: 'id',
        form: [{ key: 'word', kind: 'text', label: 'Word', required: true }],
      },
    ])
    expect((await view<ListView>('all', 'sales-leads')).actions.map((action) => [action.key, action.undo?.path])).toEqual([
      ['labels.shout', '/api/labels/delete'],
      ['labels.remove', undefined],
    ])
  })
  it('of a list says which cells may be changed, by what the edit form may change and only to who may edit', async () => {
    expect((await view<ListView>('reader', 'sales-leads')).inline).toBeUndefined()
    const { inline } = await view<ListView>('editor', 'sales-leads')
    // label is set once, value has its place only beside a label.
    expect(inline).toMatchObject({
      submit: { method: 'PUT', path: '/api/labels/:id' },
      one: 'label',
      fields: [{ key: 'language', kind: 'reference' }],
    })
    expect(inline?.fields).toHaveLength(1)
    expect((await view<ListView>('editor', 'admin-roles-list')).inline).toBeUndefined()
  })
  it('of a list has boards whose cards only those may move who may make the call', async () => {
    const boards = async (who: string) => (await view<ListView>(who, 'sales-board')).layouts
    const { move: _, ...named } = board
    const toLookAt = { ...named, summary: { method: 'GET', path: '/api/labels' } }
    expect(await boards('editor')).toEqual([
      { ...toLookAt, move: { method: 'PUT', path: '/api/labels/:id' } },
      { kind: 'map', latKey: 'lat', lngKey: 'lng' },
    ])
    expect((await boards('reader'))?.[0]).toEqual(toLookAt)
    expect((await view<ListView>('reader', 'sales-leads')).layouts).toBeUndefined()
  })
  it("of a form loads and saves by the resource's own calls", async () => {
    const edit = await view<FormView>('editor', 'sales-leads-edit-id')
    expect(edit).toMatchObject({
      load: { path: '/api/labels/:id' },
      submit: { method: 'PUT', path: '/api/labels/:id' },
      after: '/sales/leads',
      sections: [{ rows: [['label', 'value'], ['language']] }],
    })
    expect(edit.fields[0]).toEqual({ key: 'label', kind: 'text', label: 'Label', required: true, readOnly: true, maxLength: 40 })
    expect(edit.fields[1]).toMatchObject({ help: 'What people read', visibleIf: { not: { eq: ['label', ''] } } })
    // The resource is kept on devices, so its screens are.
    expect(edit.offline).toBe('label')
    const fresh = await view<FormView>('editor', 'sales-leads-create')
    expect(fresh).toMatchObject({ title: 'New label', submit: { method: 'POST', path: '/api/labels' }, offline: 'label', actions: [] })
    expect(fresh.fields[0]?.readOnly).toBeUndefined()
    expect(fresh.load).toBeUndefined()
  })
  it('of a record holds the lists that belong to it, each cut to what the caller may see, open and do', async () => {
    const seen = await view<DetailView>('reader', 'labels-id-parts')
    expect(seen.timeline).toEqual({ method: 'GET', path: '/api/labels/:id/history' })
    expect(seen.panels?.slice(0, 1)).toEqual([
      {
        key: 'all',
        title: 'All',
        source: { method: 'GET', path: '/api/labels' },
        value: 'labels',
        fields: [{ key: 'label', kind: 'text', label: 'Label' }],
        actions: [],
        empty: { title: 'None' },
      },
    ])
    const more = await view<DetailView>('editor', 'labels-id-parts')
    expect(more.panels?.map(({ key, open, actions }) => [key, open, actions.map(({ key: name, visibleIf }) => [name, visibleIf])])).toEqual(
      [
        ['all', '/sales/leads/edit/:id', [['labels.shout', { eq: ['value', 'x'] }]]],
        ['roles', undefined, []],
        ['labels', '/sales/leads/view/:id', []],
        ['roles', undefined, []],
      ],
    )
  })
  it('of a record holds the tabs that other areas hang on it, with the way to all and to a new one as far as the caller may', async () => {
    // Its list shows all time: days would leave out what has none yet.
    const filter = 'filter=[{"field":"language","op":"eq","value":":id"}]'
    const tab = {
      key: 'labels',
      title: 'Translations',
      source: { method: 'GET', path: `/api/labels?size=50&${filter}` },
      value: 'labels',
      open: '/sales/leads/view/:id',
      all: `/sales/leads?${filter}`,
    }
    const [, seen, ...none] = (await view<DetailView>('reader', 'labels-id-parts')).panels ?? []
    expect([seen?.create, none]).toEqual([undefined, []])
    expect(seen).toMatchObject(tab)
    expect(seen?.fields.map(({ key }) => key)).toEqual(['label', 'value'])
    const more = (await view<DetailView>('editor', 'labels-id-parts')).panels?.[2]
    expect(more).toMatchObject({ ...tab, create: { label: 'New label', screen: '/sales/leads/create?language=:id' } })
  })
  it('says where a reference finds its options only to those who may ask there', async () => {
    expect((await view<FormView>('editor', 'sales-leads-create')).fields[2]?.reference).toEqual({
      to: 'role',
      path: '/api/roles',
      many: 'roles',
      idKey: 'Id',
      labelKey: 'name',
    })
    expect((await view<ListView>('reader', 'sales-leads')).fields.find((field) => field.key === 'language')?.reference).toBeUndefined()
  })
  it('names calls of every kind, and the caller gets those that are open to them', async () => {
    const [seen, more] = await Promise.all(['reader', 'editor'].map((who) => view<ListView>(who, 'named-list')))
    expect([seen?.title, seen?.actions]).toEqual(['Labels', []])
    expect([more?.title, more?.actions]).toEqual([
      '/api/labels/shout',
      [
        { key: 'labels.shout', label: 'Shout', scope: 'row', call: { method: 'POST', path: '/api/labels/shout' } },
        { key: 'edit', label: 'Edit', scope: 'row', open: '/sales/leads/edit/:label' },
      ],
    ])
    expect((await view<FormView>('reader', 'named-form')).check).toBeUndefined()
    expect((await view<FormView>('editor', 'named-form')).check).toEqual({
      call: { method: 'GET', path: '/api/roles' },
      fields: ['label'],
      message: 'There is one',
      open: '/sales/leads/edit/:id',
    })
    expect((await view<FormView>('reader', 'named-lenient')).check).toEqual({
      call: { method: 'GET', path: '/api/labels' },
      fields: ['label'],
      message: 'There is one',
    })
    const tiles = async (who: string) => (await view<DashboardView>(who, 'named-tiles')).widgets.map(({ source }) => source)
    expect(await tiles('reader')).toEqual([{ method: 'GET', path: '/api/labels' }])
    expect(await tiles('editor')).toHaveLength(2)
    expect(await view('reader', 'named-custom')).toMatchObject({ data: { all: { method: 'GET', path: '/api/labels' } } })
    expect(await view('reader', 'named-custom')).not.toHaveProperty('data.roles')
    expect(await view('editor', 'named-custom')).toHaveProperty('data.roles.path', '/api/roles')
    expect([await view('reader', 'named-built'), await view('editor', 'named-built')]).toMatchObject([
      { data: { roles: null } },
      { data: { roles: { path: '/api/roles' } } },
    ])
  })
  it('of a record has its history and the way to its form only for whom they are open', async () => {
    const [reader, editor] = await Promise.all(['reader', 'editor'].map((who) => view<DetailView>(who, 'named-id')))
    expect([reader?.timeline, reader?.edit]).toEqual([{ method: 'GET', path: '/api/labels/:id/history' }, undefined])
    expect([editor?.timeline, editor?.edit]).toEqual([undefined, '/sales/leads/edit/:id'])
  })
  it('hands data to custom screens', async () => {
    expect(await view('reader', 'home')).toEqual({ kind: 'custom', title: 'Dashboard', screen: 'home', data: { who: world.a.userId } })
  })
  it('is 403 without the permission, 404 when there is none', async () => {
    expect((await ask('reader', '/api/console/screens/sales-leads-create')).statusCode).toBe(403)
    expect((await ask('reader', '/api/console/screens/nothing')).statusCode).toBe(404)
    expect((await ask('', '/api/console')).statusCode).toBe(401)
  })
  it('answers 304 to who has it, privately, and anew to who may see more', async () => {
    const first = await ask('reader', '/api/console/screens/sales-leads')
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const again = await ask('reader', '/api/console/screens/sales-leads', { 'if-none-match': `W/${etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await ask('editor', '/api/console/screens/sales-leads', { 'if-none-match': etag })).statusCode).toBe(200)
  })
})

describe('does not start', () => {
  const start = (more: Partial<Area>) => () =>
    consoleArea({ areas: [area, defineArea({ name: 'x', ...more })], sessionPart, version: '', build: '' })
  it('with a screen twice or a name that no route has', () => {
    expect(start({ screens: [screen('/sales/leads', anySession, listOf(role))] })).toThrow('Screen /sales/leads is declared twice')
    expect(start({ screens: [screen('/x', anySession, listOf(role, { source: 'no.such' }))] })).toThrow(
      'screen /x names an unknown route no.such',
    )
    expect(start({ resources: [{ ...role, actions: [{ route: 'gone', label: 'x', scope: 'row' }] }] })).toThrow(
      'action of role names an unknown route gone',
    )
  })
  it.each([
    ['a board of screen /x names an unknown route gone', listOf(role, { overrides: { layouts: [{ ...board, move: 'gone' }] } })],
    ['a board of screen /x names an unknown route gone', listOf(role, { overrides: { layouts: [{ ...board, summary: 'gone' }] } })],
    [
      'action of screen /x names an unknown route gone',
      listOf(role, { overrides: { actions: [{ route: 'gone', label: 'x', scope: 'row' }] } }),
    ],
    [
      'screen /x opens an unknown screen /labels/:who/gone',
      listOf(role, { overrides: { actions: [{ open: '/labels/:who/gone', key: 'x', label: 'x', scope: 'row' }] } }),
    ],
    ['screen /x names an unknown route gone', listOf(role, { calls: { move: 'gone' }, refine: (_, seen) => seen })],
    [
      'the check of screen /x names an unknown route gone',
      formOf(role, { overrides: { check: { route: 'gone', fields: ['name'], message: 'x' } } }),
    ],
    [
      'the check of screen /x opens an unknown screen /gone',
      formOf(role, { overrides: { check: { route: 'roles.list', fields: ['name'], message: 'x', open: '/gone' } } }),
    ],
    ['screen /x names an unknown route gone', formOf(role, { submit: 'gone' })],
    [
      'tab a of screen /x names an unknown route gone',
      detailOf(role, { panels: [{ key: 'a', title: 'A', route: 'gone', value: 'a', fields: {}, empty: { title: 'x' } }] }),
    ],
    ['screen /x opens an unknown screen /gone', detailOf(role, { edit: '/gone' })],
    [
      'widget a of screen /x names an unknown route gone',
      dashboard({ title: 'x', widgets: [{ id: 'a', title: 'A', draw: 'number', source: 'gone', value: 'a', span: 6 }] }),
    ],
    ['screen /x names an unknown route gone', custom('home', 'x', undefined, { a: 'gone' })],
    ['screen /x names an unknown route gone', built(() => ({ kind: 'custom', title: 'x', screen: 'home', data: {} }), { a: 'gone' })],
  ])('%s', (message, wrong) => {
    expect(start({ screens: [screen('/x', anySession, wrong)] })).toThrow(message)
  })
})
