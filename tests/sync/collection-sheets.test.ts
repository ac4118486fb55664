import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from '../api/loans/lending.ts'
import { makeDevice, type Device } from './world.ts'

interface Line {
  Id: string
  clientId: string
  loanId: string | null
  expected: number
  received: number
  attendance: string
}
type Sheet = Row & { version: number; lines: Line[]; tenantId: string; status: string }
interface Group {
  id: string
  clients: [string, string, string]
  loans: Row[]
}

let lending: Lending
let as: Lending['world']['as']
let device: Device
const entityType = 'collectionSheet'
const today = dayFrom(0)

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  device = makeDevice(as.manager, lending.world.team.id)
})
afterAll(() => lending.world.app.close())

/** A group of the branch: two members with a running loan of which 848 are due, and one without. */
async function group(): Promise<Group> {
  const clients = (await Promise.all([1, 2, 3].map(() => lending.client()))) as Group['clients']
  const loans = [
    await lending.running(dayFrom(-70), { clientId: clients[0] }),
    await lending.running(dayFrom(-70), { clientId: clients[1] }),
  ]
  const members = clients.map((clientId) => ({ clientId, role: 'Member' }))
  const made = await as.manager.post<{ clientGroup: Row }>('/api/client-groups', {
    name: 'Tujenge',
    minMembers: 2,
    maxMembers: 10,
    members,
  })
  expect(made.status, made.text).toBe(200)
  return { id: made.body.data.clientGroup.Id, clients, loans }
}
const read = async (id: string) =>
  (await as.manager.get<{ collectionSheet: Sheet }>(`/api/collection-sheets/${id}`)).body.data.collectionSheet
/** Lines as a device begins them: of members alone. */
const begun = ({ clients }: Group, over: Partial<Line>[] = []) =>
  clients.map((clientId, place) => ({ Id: randomUUID(), clientId, received: 0, attendance: 'Present', ...over[place] }))
const begin = (of: Group, lines?: object[], by = device) =>
  by.insert({ groupId: of.id, meetingOn: today, ...(lines ? { lines } : {}) }, { entityType })
const send = async (change: object, by = device) => (await by.push([change])).results
const letters = async (changeId: string) => lending.rows('select reason, envelope from sync_dead_letter where "changeId" = $1', changeId)

describe('a collection sheet that is begun without a connection', () => {
  it('has the lines that the office makes, with what was typed, in the branch of the group, once', async () => {
    const of = await group()
    const lines = begun(of, [{ received: 848.01 }, { received: 100.1 }, { attendance: 'Absent' }])
    const sheet = begin(of, lines)
    await Promise.all(Array.from({ length: 5 }, () => device.push([sheet])))
    const made = await read(sheet.entityId)
    expect(made).toMatchObject({ status: 'Draft', expected: 1_696, received: 948.11, present: 2, tenantId: lending.world.branch.id })
    expect(made.lines.map(({ Id, loanId, expected, received }) => [Id, loanId, expected, received])).toEqual([
      [lines[0]?.Id, of.loans[0]?.Id, 848, 848.01],
      [lines[1]?.Id, of.loans[1]?.Id, 848, 100.1],
      [lines[2]?.Id, null, 0, 0],
    ])
    const posted = await as.manager.post(`/api/collection-sheets/${sheet.entityId}/post`, {})
    expect(posted.status, posted.text).toBe(200)
    expect(await lending.read(of.loans[1]?.Id ?? '')).toMatchObject({ owed: 1_171.9 })
  })

  it('is refused where the office closed the group meanwhile, keeps what was typed for people to read, and stops nothing behind it', async () => {
    const [of, other] = [await group(), await group()]
    const [known, late, next] = [begin(of, begun(of)), begin(of, begun(of, [{ received: 12.5 }])), begin(other, begun(other))]
    expect(await send(known)).toMatchObject([{ status: 'applied' }])
    expect((await as.manager.post(`/api/client-groups/${of.id}/move`, { move: 'close', reason: 'They fell out' })).status).toBe(200)
    const seen = await read(known.entityId)
    const typed = seen.lines.map((line, place) => (place === 0 ? { ...line, received: 40 } : line))
    const fill = device.update(seen.Id, seen.version, { lines: [seen.lines, typed] }, { entityType })
    const yesterday = { ...late, snapshot: { ...late.snapshot, meetingOn: dayFrom(-1) } }
    const said = {
      status: 'rejected',
      code: 'VALIDATION',
      message: expect.stringMatching(/^group.*is closed: no collection sheet/i),
    }
    expect((await device.push([yesterday, fill, next])).results).toMatchObject([said, { status: 'applied' }, { status: 'applied' }])
    expect(await send(yesterday)).toMatchObject([{ status: 'duplicate' }])
    expect(await letters(late.changeId)).toMatchObject([{ envelope: { snapshot: { lines: [{ received: 12.5 }, {}, {}] } } }])
    // What was begun before is finished.
    expect((await as.manager.post(`/api/collection-sheets/${seen.Id}/post`, {})).status).toBe(200)
  })

  it('without lines, where the device did not hold the group, gets them with the sync', async () => {
    const of = await group()
    const sheet = begin(of)
    expect(await send(sheet)).toMatchObject([
      { status: 'applied', fields: { lines: [{ expected: 848 }, { expected: 848 }, { expected: 0 }] } },
    ])
  })

  it('is filled in before and after it was sent, by two phones', async () => {
    const of = await group()
    const lines = begun(of)
    const sheet = begin(of, lines)
    const mine = [{ ...lines[0], received: 10 }, ...lines.slice(1)]
    const edit = device.update(sheet.entityId, 0, { lines: [lines, mine] }, { entityType })
    expect((await device.push([sheet, edit])).results).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    const seen = await read(sheet.entityId)
    const other = makeDevice(as.manager, lending.world.team.id)
    const typed = (place: number, values: Partial<Line>) => seen.lines.map((line, at) => (at === place ? { ...line, ...values } : line))
    const first = device.update(seen.Id, seen.version, { lines: [seen.lines, typed(1, { received: 20 })] }, { entityType })
    const second = other.update(seen.Id, seen.version, { lines: [seen.lines, typed(2, { attendance: 'Absent' })] }, { entityType })
    const third = other.update(seen.Id, seen.version, { lines: [seen.lines, typed(1, { received: 30 })] }, { entityType })
    expect(await send(first)).toMatchObject([{ status: 'applied' }])
    expect(await send(second, other)).toMatchObject([{ status: 'applied' }])
    // Both wrote in one box: a person decides, and the office's figure stands.
    expect(await send(third, other)).toMatchObject([{ status: 'merged', conflicts: [{ field: 'lines' }] }])
    expect((await read(seen.Id)).lines.map(({ received, attendance }) => [received, attendance])).toEqual([
      [10, 'Present'],
      [20, 'Present'],
      [0, 'Absent'],
    ])
  })

  it('is refused where the meeting has one: the second phone hears which, and can add what it typed to it, taking nothing away', async () => {
    const of = await group()
    const sheet = begin(of, begun(of, [{ received: 5 }, {}, { attendance: 'Excused' }]))
    const other = makeDevice(as.manager, lending.world.team.id)
    const twin = begin(of, begun(of, [{}, { received: 7 }]), other)
    expect(await send(sheet)).toMatchObject([{ status: 'applied' }])
    expect(await send(twin, other)).toMatchObject([
      { status: 'rejected', code: 'VALIDATION', message: 'This meeting has a collection sheet already.', existingId: sheet.entityId },
    ])
    expect(await letters(twin.changeId)).toMatchObject([{ envelope: { snapshot: { lines: [{}, { received: 7 }, {}] } } }])
    const seen = await read(sheet.entityId)
    const added = other.update(seen.Id, seen.version, { lines: [seen.lines, twin.snapshot?.['lines']] } as never, { entityType })
    expect(await send(added, other)).toMatchObject([{ status: 'applied' }])
    expect((await read(seen.Id)).lines.map(({ received, attendance }) => [received, attendance])).toEqual([
      [5, 'Present'],
      [7, 'Present'],
      [0, 'Excused'],
    ])
    const [one, two] = [begin(await group()), begin(of)]
    const both = { ...two, changeId: randomUUID(), entityId: randomUUID(), snapshot: one.snapshot ?? {} }
    // Two of one meeting in one delivery: the first stands.
    expect((await device.push([one, both])).results.map(({ status }) => status)).toEqual(['applied', 'rejected'])
  })

  it('takes no loan, expectation or member of the device, and keeps what was typed of such', async () => {
    const of = await group()
    const stranger = await lending.client()
    const lines = begun(of)
    for (const [forged, why] of [
      [lines.map((line, place) => (place === 0 ? { ...line, expected: 1 } : line)), 'lines.0.expected'],
      [lines.map((line, place) => (place === 0 ? { ...line, loanId: of.loans[1]?.Id } : line)), 'lines.0.loanId'],
      [[...lines, { Id: randomUUID(), clientId: stranger, received: 3, attendance: 'Present' }], 'lines.3.clientId'],
    ] as const) {
      const change = begin(of, [...forged])
      const [result] = await send(change)
      expect(result).toMatchObject({ status: 'rejected', code: 'VALIDATION' })
      expect(result?.message).toContain(why)
      expect(await letters(change.changeId)).toHaveLength(1)
      const online = await as.manager.post<{ fields: unknown }>('/api/collection-sheets', {
        groupId: of.id,
        meetingOn: today,
        lines: forged,
      })
      expect([online.status, online.text.includes(why)]).toEqual([422, true])
    }
    // Somebody left the group, and nothing was written of them: nothing is lost without their line.
    const left = [...lines, { Id: randomUUID(), clientId: stranger, received: 0, attendance: 'Present' }]
    expect(await send({ ...begin(of, left), snapshot: { groupId: of.id, meetingOn: today, lines: left, status: 'Posted' } })).toMatchObject(
      [{ status: 'applied', fields: { status: 'Draft', lines: [{}, {}, {}] } }],
    )
  })

  it('is not begun for a group beyond reach or without members, and stays as it is once it was posted', async () => {
    const of = await group()
    const beyond = makeDevice(as.foreign, lending.world.stranger.id)
    expect(await send(begin(of, begun(of), beyond), beyond)).toMatchObject([
      { status: 'rejected', message: expect.stringContaining('groupId') },
    ])
    const empty = await as.manager.post<{ clientGroup: Row }>('/api/client-groups', { name: 'Empty', minMembers: 2 })
    expect(await send(begin({ ...of, id: empty.body.data.clientGroup.Id }))).toMatchObject([
      { status: 'rejected', message: 'The group has no members yet.' },
    ])
    const sheet = begin(of, begun(of, [{ received: 1 }]))
    await send(sheet)
    const seen = await read(sheet.entityId)
    expect((await as.manager.post(`/api/collection-sheets/${seen.Id}/post`, {})).status).toBe(200)
    const mine = seen.lines.map((line) => ({ ...line, received: 2 }))
    const late = device.update(seen.Id, seen.version, { lines: [seen.lines, mine] } as never, { entityType })
    const pushes = await Promise.all(Array.from({ length: 5 }, () => send(late)))
    expect(pushes.flat().filter(({ status }) => status === 'rejected')).toMatchObject([
      { code: 'VALIDATION', message: 'The sheet is Posted: it stays as it is.' },
    ])
    expect(await letters(late.changeId)).toHaveLength(1)
    expect((await read(seen.Id)).lines.map(({ received }) => received)).toEqual([1, 0, 0])
  })
})
