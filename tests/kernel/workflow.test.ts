import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { Permission } from '@outpost/contract/permissions'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import type { Verdict } from '@outpost/contract/assigning'
import type { WaitingView } from '@outpost/contract/call-views'
import type { DetailView, KanbanLayout, ListView } from '@outpost/contract/views'
import { sql } from '@outpost/platform/db/sql'
import { defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { describeDetail, describeList } from '../../apps/server/src/kernel/screens/describe/describe.ts'
import { history } from '../../apps/server/src/kernel/keeps/history.ts'
import { create, get, list, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { updateRecord } from '../../apps/server/src/kernel/resource/records.ts'
import { catalogueOf } from '../../apps/server/src/kernel/screens/catalogue.ts'
import { detailOf, listOf, screen } from '../../apps/server/src/kernel/screens/screen.ts'
import { figureOf } from '../../apps/server/src/kernel/screens/tiles.ts'
import { syncEntities } from '../../apps/server/src/kernel/sync/entities.ts'
import { pushChanges } from '../../apps/server/src/kernel/sync/push.ts'
import { boardOf } from '../../apps/server/src/kernel/workflow/describe.ts'
import { move, moveMany } from '../../apps/server/src/kernel/workflow/operations.ts'
import { waitingTile } from '../../apps/server/src/kernel/workflow/waiting.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { appOf, ctxOf, makeWorld, type As, type World } from './world.ts'

const states = {
  Requested: { meaning: 'open', colour: 'blue' },
  Approved: { meaning: 'started', colour: 'gold' },
  Paid: { meaning: 'done', colour: 'green' },
  Rejected: { meaning: 'cancelled' },
} as const
const mayDecide = may('LOAN/DISBURSEMENTS')

/** A request for money that a second person approves, on the table of leads. */
const payout = defineResource({
  model: 'lead',
  one: 'payout',
  many: 'payouts',
  label: 'Payout',
  labelMany: 'Payouts',
  title: 'firstName',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  fields: {
    firstName: { kind: 'personName', label: 'Payee', required: true },
    installmentAmount: { kind: 'money', label: 'Amount' },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      merge: 'threeWay',
    },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, merge: 'threeWay' },
    notes: { kind: 'text', label: 'Note', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
  },
  list: { columns: ['firstName', 'installmentAmount', 'status'], sort: ['dateCreated', 'DESC'], size: 100, filters: ['status'] },
  workflow: {
    field: 'status',
    route: 'payouts.move',
    many: 'payouts.moveMany',
    states,
    kept: { reason: 'statusReason' },
    moves: [
      {
        name: 'approve',
        label: 'Approve',
        from: ['Requested'],
        to: 'Approved',
        access: mayDecide,
        fourEyes: true,
        refuse: (_, { before }) => (Number(before['installmentAmount']) > 1_000 ? 'The amount is over the limit.' : null),
      },
      {
        name: 'reject',
        from: ['Requested'],
        to: 'Rejected',
        access: mayDecide,
        ask: { reason: { kind: 'text', label: 'Reason', required: true } },
      },
      {
        name: 'pay',
        from: ['Approved'],
        to: 'Paid',
        after: async (ctx, { id, from }) => {
          await ctx.sql.exec(sql`update lead set "notes" = ${`paid after ${from}`} where "companyId" = ${ctx.company.id} and "id" = ${id}`)
        },
      },
      { name: 'takeBack', from: ['Paid'], to: 'Requested', madeBy: 'elsewhere' },
    ],
  },
  prepare: (ctx, { kind, id }) =>
    kind === 'create'
      ? { lastName: 'X', phonenumber: id, trimmedPhonenumber: id, createdByUserId: ctx.user.id, leadCreatedBy: 'Asha' }
      : {},
})
const tenant = defineResource({
  model: 'tenant',
  one: 'tenant',
  many: 'tenants',
  label: 'Tenant',
  labelMany: 'Tenants',
  title: 'name',
  fields: { name: { kind: 'text', label: 'Name' } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 10 },
})

const area = defineArea({
  name: 'payouts',
  resources: [payout, tenant],
  routes: [
    route('payouts.list', 'GET', '/api/payouts', may('SALES/LEADS'), list(payout)),
    route('payouts.get', 'GET', '/api/payouts/:id', may('SALES/LEADS'), get(payout)),
    route('payouts.history', 'GET', '/api/payouts/:id/history', may('SALES/LEADS'), history(payout)),
    route('payouts.create', 'POST', '/api/payouts', may('SALES/LEADS'), create(payout)),
    route('payouts.update', 'PUT', '/api/payouts/:id', may('SALES/LEADS'), update(payout)),
    route('payouts.move', 'POST', '/api/payouts/:id/move', may('SALES/LEADS'), move(payout)),
    route('payouts.moveMany', 'POST', '/api/payouts/move', may('SALES/LEADS'), moveMany(payout)),
    route('payouts.status', 'PUT', '/api/payouts-status', may('SALES/LEADS'), move(payout, { by: 'state' })),
  ],
  screens: [
    screen(
      '/payouts',
      may('SALES/LEADS'),
      listOf(payout, { overrides: { layouts: [boardOf(payout, { lines: ['installmentAmount'] })] } }),
      { offline: true },
    ),
    screen('/payouts/:id/view', may('SALES/LEADS'), detailOf(payout)),
  ],
})

let world: World
let app: FastifyInstance
const callers: Record<string, Ctx> = {}
const people: Record<string, string> = {}

beforeAll(async () => {
  world = await makeWorld()
  const person = async (name: string, as: As = {}, permissions: Permission[] = ['SALES/LEADS', 'LOAN/DISBURSEMENTS']) => {
    people[name] ??= randomUUID()
    await world.database.admin.query(
      'insert into app_user ("companyId", id, "userName", "emailAddress", "firstName", "lastName", "tenantId") values ($1,$2,$3,$4,$5,$6,$7)',
      [world.a.id, people[name], name, `${name}@outpost.test`, name, 'Otieno', world.a.branch.id],
    )
    callers[name] = ctxOf(world, world.a, { userId: people[name], permissions, ...as })
  }
  await person('maker')
  await person('approver')
  await person('editor')
  await person('clerk', {}, ['SALES/LEADS'])
  await person('elsewhere', { scope: [world.a.other.id], tenant: world.a.other })
  callers['stranger'] = ctxOf(world, world.b, { permissions: ['SALES/LEADS', 'LOAN/DISBURSEMENTS'] })
  // The maker acts in the approver's name, and the approver's administrator made something in the maker's.
  callers['masked'] = ctxOf(world, world.a, {
    userId: people['approver'] as string,
    actorId: people['maker'] as string,
    permissions: ['SALES/LEADS', 'LOAN/DISBURSEMENTS'],
  })
  app = await appOf({ areas: [area] }, callers)
})
afterAll(async () => {
  await app.close()
  await world.close()
})

interface Payout {
  Id: string
  status: string
  version: number
  notes?: string
  statusReason?: string
}
interface Data {
  payout: Payout
  payouts: Payout[]
  timeline: { what: string; who: string }[]
  waiting: WaitingView | null
  results: Verdict[]
}
interface Body {
  data: Data
  code?: string
  message?: string
  details?: object
  fields?: { field: string; message: string }[]
}
interface Answer {
  status: number
  data: Data
  body: Body
}
async function call(by: string, method: 'GET' | 'POST' | 'PUT', url: string, body?: object): Promise<Answer> {
  const answer = await app.inject({ method, url, headers: { authorization: by }, ...(body ? { payload: body } : {}) })
  const parsed = answer.json<Body>()
  return { status: answer.statusCode, data: parsed.data, body: parsed }
}
let names = 0
const word = () => `Payee ${String.fromCharCode(65 + (names % 26))}${String.fromCharCode(65 + Math.floor((names += 1) / 26))}`
const make = async (by = 'maker', over: object = {}): Promise<string> => {
  const { status, data, body } = await call(by, 'POST', '/api/payouts', { firstName: word(), installmentAmount: 500, ...over })
  expect(status, JSON.stringify(body)).toBe(200)
  return data.payout.Id
}
const go = (by: string, id: string, body: object) => call(by, 'POST', `/api/payouts/${id}/move`, body)
const stateOf = async (id: string) => (await call('clerk', 'GET', `/api/payouts/${id}`)).data.payout.status as string
const logOf = async (id: string) =>
  (
    await world.database.admin.query(
      'select "from", "to", move, reason, "userId", "realUserId", "tenantId", "durationSeconds"::int as seconds from record_move where "objectId" = $1 order by id',
      [id],
    )
  ).rows as Record<string, unknown>[]

describe('a move', () => {
  it('leads to a state that its field offers, without saying the states twice', () => {
    expect(payout.fields['status']?.options).toEqual([
      { value: 'Requested', label: 'Requested', colour: 'blue' },
      { value: 'Approved', label: 'Approved', colour: 'gold' },
      { value: 'Paid', label: 'Paid', colour: 'green' },
      { value: 'Rejected', label: 'Rejected' },
    ])
  })
  it('goes by its name, leaves a log and does what follows, from the first state on', async () => {
    const id = await make()
    expect(await stateOf(id)).toBe('Requested')
    const approved = await go('approver', id, { move: 'approve' })
    expect([approved.status, approved.data?.payout.status]).toEqual([200, 'Approved'])
    await world.database.admin.query(`update record_move set "dateCreated" = "dateCreated" - interval '90 seconds' where "objectId" = $1`, [
      id,
    ])
    expect((await go('clerk', id, { status: 'Paid' })).status).toBe(200)
    expect((await call('clerk', 'GET', `/api/payouts/${id}`)).data.payout).toMatchObject({ status: 'Paid', notes: 'paid after Approved' })
    const log = await logOf(id)
    expect(log).toMatchObject([
      {
        from: 'Requested',
        to: 'Approved',
        move: 'approve',
        userId: people['approver'],
        realUserId: people['approver'],
        tenantId: world.a.branch.id,
        reason: null,
      },
      { from: 'Approved', to: 'Paid', move: 'pay', userId: people['clerk'] },
    ])
    expect(log[1]?.['seconds']).toBeGreaterThanOrEqual(90)
    const { timeline, waiting } = (await call('clerk', 'GET', `/api/payouts/${id}/history`)).data
    expect(timeline.map(({ what, who }) => `${what} ${who}`).toSorted()).toEqual([
      'Approved → Paid clerk Otieno',
      'Created maker Otieno',
      'Requested → Approved approver Otieno',
    ])
    expect(waiting).toBeNull()
  })

  it('that may not follow is refused with those that may', async () => {
    const id = await make()
    const { status, body } = await go('approver', id, { move: 'pay' })
    expect([status, body.code, body.details]).toEqual([
      409,
      'ILLEGAL_TRANSITION',
      { allowed: ['Approved', 'Rejected'], moves: ['approve', 'reject'] },
    ])
    expect((await call('approver', 'PUT', '/api/payouts-status', { id, state: 'Paid' })).body.code).toBe('ILLEGAL_TRANSITION')
    const unknown = await go('approver', id, { status: 'Nowhere' })
    expect([unknown.status, unknown.body.fields?.[0]?.field]).toEqual([422, 'status'])
    expect((await go('approver', id, {})).status).toBe(422)
    expect((await go('approver', id, { move: 'approve', status: 'Rejected' })).status).toBe(422)
    expect(await logOf(id)).toEqual([])
  })

  it('asks for its permission, its reason and what its rule asks', async () => {
    const [id, dear] = [await make(), await make('maker', { installmentAmount: 5_000 })]
    expect((await go('clerk', id, { move: 'approve' })).body.code).toBe('FORBIDDEN')
    const silent = await go('approver', id, { move: 'reject', reason: '  ' })
    expect([silent.status, silent.body.fields]).toEqual([422, [{ field: 'reason', message: 'is required' }]])
    const refused = await go('approver', dear, { move: 'approve' })
    expect([refused.status, refused.body.message]).toEqual([409, 'The amount is over the limit.'])
    expect((await go('approver', id, { move: 'reject', reason: 'Not now' })).data.payout).toMatchObject({
      status: 'Rejected',
      statusReason: 'Not now',
    })
    expect(await logOf(id)).toMatchObject([{ to: 'Rejected', reason: 'Not now' }])
  })

  it('is no part of a form, and stays behind company and reach', async () => {
    const id = await make()
    expect((await call('approver', 'PUT', `/api/payouts/${id}`, { status: 'Approved', firstName: 'Other' })).data.payout.status).toBe(
      'Requested',
    )
    for (const who of ['stranger', 'elsewhere']) expect((await go(who, id, { move: 'reject', reason: 'x' })).status, who).toBe(404)
    expect((await world.database.admin.query('select from record_move where "objectId" = $1', [id])).rowCount).toBe(0)
  })

  it('made five times at once happens once', async () => {
    const id = await make()
    const answers = await Promise.all(Array.from({ length: 5 }, () => go('approver', id, { move: 'approve' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await logOf(id)).toHaveLength(1)
  })

  it('of many has a verdict on each', async () => {
    const [fine, own, dear] = [await make(), await make('approver'), await make('maker', { installmentAmount: 2_000 })]
    const { data } = await call('approver', 'POST', '/api/payouts/move', { ids: [fine, own, dear], move: 'approve' })
    expect(data.results).toEqual([
      { Id: fine, isDone: true },
      { Id: own, isDone: false, message: 'Another person has to decide: you made this payout.' },
      { Id: dear, isDone: false, message: 'The amount is over the limit.' },
    ])
    expect([await stateOf(fine), await stateOf(own), await stateOf(dear)]).toEqual(['Approved', 'Requested', 'Requested'])
  })

  it('takes the log along when the record goes to another branch', async () => {
    const id = await make()
    await go('approver', id, { move: 'approve' })
    await updateRecord(callers['maker'] as Ctx, payout, id, { tenantId: world.a.other.id })
    expect(await logOf(id)).toMatchObject([{ tenantId: world.a.other.id }])
  })
})

describe('four eyes', () => {
  it('are not those of who made the record, whoever they act for', async () => {
    const id = await make()
    for (const who of ['maker', 'masked']) {
      const { status, body } = await go(who, id, { move: 'approve' })
      expect([who, status, body.message]).toEqual([who, 403, 'Another person has to decide: you made this payout.'])
    }
    expect((await go('approver', id, { move: 'approve' })).status).toBe(200)
  })

  it('are not those of who last changed it', async () => {
    const id = await make()
    await call('editor', 'PUT', `/api/payouts/${id}`, { installmentAmount: 700 })
    expect((await go('editor', id, { move: 'approve' })).body.message).toBe('Another person has to decide: you last changed this payout.')
    expect((await call('editor', 'PUT', '/api/payouts-status', { id, state: 'Approved' })).status).toBe(403)
    expect((await go('approver', id, { move: 'approve' })).status).toBe(200)
  })

  it('see what they let pass: another version is refused', async () => {
    const id = await make()
    const { version } = (await call('approver', 'GET', `/api/payouts/${id}`)).data.payout
    await call('editor', 'PUT', `/api/payouts/${id}`, { installmentAmount: 900 })
    expect((await go('approver', id, { move: 'approve', version })).body.code).toBe('CONFLICT')
  })

  it('find waiting records with who asked, since when and what changed, counted by a tile that opens exactly these', async () => {
    const [waits, own] = [await make(), await make('approver')]
    await call('editor', 'PUT', `/api/payouts/${waits}`, { installmentAmount: 650 })
    const { waiting } = (await call('approver', 'GET', `/api/payouts/${waits}/history`)).data
    expect(waiting).toMatchObject({ who: 'maker Otieno', what: 'Amount: 500 → 650', moves: ['Approve'], mayDecide: true })
    expect(Date.parse(waiting?.since ?? '')).toBeGreaterThan(0)
    for (const who of ['editor', 'clerk'])
      expect((await call(who, 'GET', `/api/payouts/${waits}/history`)).data.waiting?.mayDecide, who).toBe(false)
    const tile = waitingTile(payout, {
      id: 'payouts-waiting',
      title: 'Payouts',
      permissions: ['LOAN/DISBURSEMENTS'],
      screen: '/payouts',
      on: {},
    })
    const figure = await figureOf(callers['approver'] as Ctx, tile)
    const filter = new URLSearchParams(figure.open.split('?')[1]).get('filter') as string
    const { payouts } = (await call('approver', 'GET', `/api/payouts?filter=${encodeURIComponent(filter)}`)).data
    const ids = payouts.map(({ Id }) => Id)
    expect(ids).toHaveLength(figure.value)
    expect([ids.includes(waits), ids.includes(own)]).toEqual([true, false])
  })
})

describe('a move of a device', () => {
  const entities = syncEntities([area])
  const change = (who: string, over: Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: 1,
    changeId: randomUUID(),
    schema: 1,
    deviceId: randomUUID(),
    tenantId: world.a.branch.id,
    userId: people[who] as string,
    version: 1,
    entityId: randomUUID(),
    entityType: 'payout',
    dateModified: new Date().toISOString(),
    changeType: 'UPDATE',
    patch: {},
    deps: [],
    ...over,
  })
  const push = async (who: string, ...changes: ChangeRecord[]) => pushChanges(callers[who] as Ctx, changes, { entities })

  it('makes no move that another call makes, and no call for all moves does', async () => {
    const id = await make()
    await go('approver', id, { move: 'approve' })
    await go('clerk', id, { move: 'pay' })
    expect((await go('approver', id, { move: 'takeBack' })).status).toBe(422)
    const byState = await go('approver', id, { status: 'Requested' })
    expect([byState.status, byState.body.details]).toEqual([409, { allowed: [], moves: [] }])
    expect((await call('approver', 'PUT', '/api/payouts-status', { id, state: 'Requested' })).status).toBe(409)
    const { data } = await call('approver', 'POST', '/api/payouts/move', { ids: [id], status: 'Requested' })
    expect(data.results).toMatchObject([{ Id: id, isDone: false }])
    expect(await push('approver', change('approver', { entityId: id, patch: { status: ['Paid', 'Requested'] } }))).toMatchObject([
      { status: 'rejected' },
    ])
    expect(await stateOf(id)).toBe('Paid')
    // The call that makes it names it, with the code that goes with it.
    await updateRecord(callers['clerk'] as Ctx, payout, id, { status: 'Requested' }, { field: 'status', name: 'takeBack', asked: {} })
    expect(await stateOf(id)).toBe('Requested')
  })

  it('passes the same rules and leaves the same log', async () => {
    const [id, other] = [await make(), await make()]
    expect(await push('approver', change('approver', { entityId: id, patch: { status: ['Requested', 'Approved'] } }))).toMatchObject([
      { status: 'applied' },
    ])
    expect(await logOf(id)).toMatchObject([{ move: 'approve', userId: people['approver'] }])
    expect(
      await push(
        'approver',
        change('approver', { entityId: other, patch: { status: ['Requested', 'Rejected'], statusReason: [null, 'No money'] } }),
      ),
    ).toMatchObject([{ status: 'applied' }])
    expect(await logOf(other)).toMatchObject([{ reason: 'No money' }])
    expect(
      await push('approver', change('approver', { entityId: other, version: 2, patch: { status: ['Rejected', 'Paid'] } })),
    ).toMatchObject([{ status: 'rejected', code: 'STATUS' }])
  })

  it('is refused to who made it, changed it in the same batch, or looked at another version', async () => {
    const [id, changed, old] = [await make(), await make(), await make()]
    expect(await push('maker', change('maker', { entityId: id, patch: { status: ['Requested', 'Approved'] } }))).toMatchObject([
      { status: 'rejected', code: 'FORBIDDEN' },
    ])
    expect(
      await push(
        'editor',
        change('editor', { entityId: changed, patch: { installmentAmount: [500, 999] } }),
        change('editor', { entityId: changed, version: 2, patch: { status: ['Requested', 'Approved'] } }),
      ),
    ).toMatchObject([{ status: 'applied' }, { status: 'rejected', code: 'FORBIDDEN' }])
    await call('editor', 'PUT', `/api/payouts/${old}`, { installmentAmount: 800 })
    expect(await push('approver', change('approver', { entityId: old, patch: { status: ['Requested', 'Approved'] } }))).toMatchObject([
      { status: 'rejected' },
    ])
    const both = await make()
    expect(
      await push(
        'approver',
        change('approver', { entityId: both, patch: { status: ['Requested', 'Approved'], installmentAmount: [500, 1] } }),
      ),
    ).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
    for (const one of [id, changed, old, both]) expect(await stateOf(one)).toBe('Requested')
  })
})

describe('what is offered', () => {
  const screenOf = (path: string) => area.screens.find((one) => one.path === path) as never
  const lists = (who: string): ListView =>
    describeList(callers[who] as Ctx, catalogueOf([area]), screenOf('/payouts'), (screenOf('/payouts') as { view: never }).view)

  it('is cut by permission and says on which rows: buttons, bulk, cells, board and device', () => {
    const view = lists('approver')
    expect(view.actions.map(({ key, scope }) => `${scope} ${key}`)).toEqual([
      'row payouts.move.approve',
      'bulk payouts.moveMany.approve',
      'row payouts.move.reject',
      'bulk payouts.moveMany.reject',
      'row payouts.move.pay',
      'bulk payouts.moveMany.pay',
    ])
    expect(view.actions[0]).toMatchObject({
      label: 'Approve',
      fixed: { move: 'approve' },
      isVersioned: true,
      call: { method: 'POST', path: '/api/payouts/:id/move' },
      visibleIf: { and: [{ in: ['status', ['Requested']] }, { not: { eq: ['isOwnWork', true] } }] },
    })
    const moves = view.columns.find(({ key }) => key === 'status')?.moves
    expect(moves).toMatchObject({
      next: { Requested: ['Approved', 'Rejected'], Approved: ['Paid'], Paid: [] },
      offline: 'payout',
      kept: { reason: 'statusReason' },
    })
    const board = view.layouts?.[0] as KanbanLayout
    expect(board).toMatchObject({ field: 'status', move: moves?.call, moveForms: { Rejected: [{ key: 'reason', required: true }] } })
    expect(board.columns.map(({ value }) => value)).toEqual(Object.keys(states))
    const clerk = lists('clerk')
    expect(clerk.actions.map(({ key }) => key)).toEqual(['payouts.move.pay', 'payouts.moveMany.pay'])
    expect(clerk.columns.find(({ key }) => key === 'status')?.moves?.next['Requested']).toEqual([])
    const detail: DetailView = describeDetail(
      callers['clerk'] as Ctx,
      catalogueOf([area]),
      screenOf('/payouts/:id/view'),
      (screenOf('/payouts/:id/view') as { view: never }).view,
    )
    expect(detail.actions.map(({ key }) => key)).toEqual(['payouts.move.pay'])
  })

  it('does not start where the declaration is not sound', () => {
    const wrong = (over: object) => () => defineResource({ ...payout, one: 'wrong', workflow: { ...payout.workflow, ...over } } as never)
    expect(wrong({ moves: [{ name: 'x', from: ['Nowhere'], to: 'Paid' }] })).toThrow(/unknown state Nowhere/)
    expect(wrong({ field: 'firstName' })).toThrow(/must be readOnly/)
    expect(wrong({ moves: [{ name: 'x', from: '*', to: 'Paid', ask: { place: { kind: 'text', label: 'Place' } } }] })).toThrow(
      /kept nowhere/,
    )
  })
})
