import { describe, expect, it } from 'vitest'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import { anySession, defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { noInput, query } from '../../apps/server/src/kernel/resource/operations.ts'
import { catalogueOf } from '../../apps/server/src/kernel/screens/catalogue.ts'
import { boardFor } from '../../apps/server/src/kernel/screens/describe/board.ts'
import { assertNames } from '../../apps/server/src/kernel/screens/names.ts'
import { custom, screen, widgetBoard } from '../../apps/server/src/kernel/screens/screen.ts'
import type { BoardWidget, Tile } from '../../apps/server/src/kernel/screens/widgets.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'

const holding = (...permissions: string[]) => ({ permissions: new Set(permissions), isGlobalAdministrator: false }) as unknown as Ctx
const tile = (id: string, more: Partial<Tile> = {}): Tile => ({
  id,
  title: id,
  permissions: ['SALES/LEADS'],
  screen: '/leads',
  figure: async () => ({ value: 1, period: 'Now', open: '/leads' }),
  on: { home: { own: 20, admin: 10 } },
  ...more,
})
const widget = (id: string, more: Partial<BoardWidget> = {}): BoardWidget => ({
  id,
  title: id,
  draw: 'bars',
  source: 'leads.figures',
  value: id,
  open: '/leads?x=1',
  span: 12,
  on: { home: { own: 10 }, yard: 5 },
  ...more,
})
const partOf = (tiles: readonly Tile[], widgets: readonly BoardWidget[]) =>
  defineArea({
    name: 'part',
    tiles,
    widgets,
    routes: [
      route(
        'leads.figures',
        'GET',
        '/api/leads/figures',
        may('SALES/LEADS'),
        query(noInput, async () => ({ data: {} })),
      ),
      route(
        'home.figures',
        'GET',
        '/api/home/figures',
        anySession,
        query(noInput, async () => ({ data: {} })),
      ),
    ],
    screens: [
      screen('/leads', may('SALES/LEADS'), custom('my-work', 'Leads')),
      screen('/closed', may('ADMIN/USERS'), custom('my-work', 'Users')),
      screen('/', anySession, widgetBoard('home', 'Home', { name: 'home', figures: 'home.figures' })),
      screen('/yard', anySession, widgetBoard('home', 'Yard', { name: 'yard' })),
    ],
  })

describe('a board', () => {
  const catalogue = catalogueOf([
    partOf(
      [tile('a'), tile('b', { alsoNeeds: 'ADMIN/USERS' }), tile('c', { permissions: ['ADMIN/USERS'] }), tile('d', { screen: '/closed' })],
      [widget('e'), widget('f', { open: '/closed' }), widget('g', { source: 'gone.figures' }), widget('h', { on: { home: {} } })],
    ),
  ])
  const home = { name: 'home', figures: 'home.figures' }

  it('offers what the caller may call and open', () => {
    const { widgets } = boardFor(holding('SALES/LEADS'), catalogue, { board: home, viewpoint: 'own' })
    expect(widgets.map(({ id }) => id)).toEqual(['a', 'e', 'h'])
    expect(widgets[0]).toEqual({
      id: 'a',
      title: 'a',
      draw: 'number',
      source: { method: 'GET', path: '/api/home/figures' },
      value: 'tiles.a',
      open: '/leads',
      span: 6,
    })
    expect(boardFor(holding(), catalogue, { board: home, viewpoint: 'own' })).toEqual({ board: 'home', widgets: [], first: [] })
  })

  it('begins with what is placed for that viewpoint, in its order', () => {
    const first = (viewpoint: 'own' | 'admin' | 'team') => boardFor(holding('SALES/LEADS'), catalogue, { board: home, viewpoint }).first
    expect([first('own'), first('admin'), first('team')]).toEqual([['e', 'a'], ['a'], []])
  })

  it('offers no numbers where nothing counts them, and to everybody what has one place', () => {
    const { widgets, first } = boardFor(holding('SALES/LEADS'), catalogue, { board: { name: 'yard' }, viewpoint: 'team' })
    expect([widgets.map(({ id }) => id), first]).toEqual([['e'], ['e']])
  })

  it('is checked at the start', () => {
    const area = partOf([tile('a', { on: { hone: 10 } })], [widget('b', { source: 'no.route', open: '/nowhere' })])
    const check = () => assertNames([area], catalogueOf([area]))
    expect(check).toThrow(/widget b names an unknown route no\.route/)
    expect(check).toThrow(/widget b opens an unknown screen \/nowhere/)
    expect(check).toThrow(/widget a is for an unknown board hone/)
  })
})

describe('the boards of the house', () => {
  const catalogue = catalogueOf(createAreas({ mail: {}, files: {}, env: { GEO_URL: 'http://127.0.0.1:1' } } as never))
  const all = holding(...permissionHierarchies)
  const board = (name: string, viewpoint: 'director' | 'branch' | 'team' | 'admin' | 'own') =>
    boardFor(all, catalogue, { board: name === 'fleet' ? { name } : { name, figures: 'home.figures' }, viewpoint })
  const viewpoints = ['director', 'branch', 'team', 'admin', 'own'] as const

  it('begin by another question for each viewpoint', () => {
    for (const name of ['home', 'sales']) {
      const begun = viewpoints.map((viewpoint) => board(name, viewpoint).first)
      // Home is the same for whoever leads a branch and a team.
      expect(new Set(begun.map(String)).size).toBe(name === 'home' ? 4 : 5)
      for (const ids of begun) expect(ids.length).toBeGreaterThan(9)
    }
    expect(board('home', 'admin').first.slice(0, 5)).toEqual(['users-active', 'users-seen', 'users-never', 'users-new', 'leads-week'])
    expect(board('sales', 'team').first.slice(0, 4)).toEqual(['agents-online', 'plans-today', 'activities-today', 'activities-overdue'])
    expect(board('fleet', 'own').first).toHaveLength(13)
  })

  it('begin with what waits for one’s own decision, on the home of everybody but administrators', () => {
    const decisions = viewpoints.map((viewpoint) =>
      board('home', viewpoint).first.flatMap((id, place) => (id.endsWith('-decision') ? [place] : [])),
    )
    expect(decisions).toEqual([[0, 1], [0, 1], [0, 1], [], [0, 1]])
  })

  it('keep what is one’s own off the dashboard of the sales work', () => {
    const ids = (name: string) => board(name, 'own').widgets.map(({ id }) => id)
    expect(ids('home')).toContain('my-day')
    expect(ids('sales').filter((id) => id.startsWith('my-'))).toEqual([])
  })

  it('place no two widgets at the same place of a board', () => {
    const twice = ['home', 'sales', 'fleet'].flatMap((name) =>
      viewpoints.flatMap((viewpoint) => {
        const places = [...catalogue.tiles, ...catalogue.widgets].flatMap(({ id, on }) => {
          const found = on[name]
          const place = typeof found === 'object' ? found[viewpoint] : found
          return place === undefined ? [] : [{ id, place }]
        })
        return [...Map.groupBy(places, ({ place }) => place).values()]
          .filter((some) => some.length > 1)
          .map((some) => some.map(({ id }) => id))
      }),
    )
    expect(twice).toEqual([])
  })
})
