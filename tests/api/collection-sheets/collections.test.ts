import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from '../loans/lending.ts'
import { fieldsOf } from '../world.ts'

interface Line {
  Id: string
  clientId: string
  loanId: string | null
  expected: number
  received: number
  attendance: string
}
type Sheet = Row & { lines: Line[]; status: string }

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

/** A group of so many, each but the last with a loan of three instalments of 424, two of them due. */
async function group(size: number): Promise<{ id: string; loans: Row[] }> {
  const clients = await Promise.all(Array.from({ length: size }, () => lending.client()))
  const loans: Row[] = []
  for (const clientId of clients.slice(0, -1)) loans.push(await lending.running(dayFrom(-70), { clientId }))
  const made = await as.manager.post<{ clientGroup: Row }>('/api/client-groups', {
    name: `Group ${size}`,
    minMembers: 2,
    maxMembers: 10,
    members: clients.map((clientId) => ({ clientId, role: 'Member' })),
  })
  expect(made.status, made.text).toBe(200)
  return { id: made.body.data.clientGroup.Id, loans }
}
const open = (groupId: string, over: object = {}, who: keyof typeof as = 'manager') =>
  as[who].post<{ collectionSheet: Sheet }>('/api/collection-sheets', { groupId, meetingOn: dayFrom(0), ...over })
const begun = async (groupId: string) => {
  const answer = await open(groupId)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.collectionSheet
}
const put = (id: string, lines: Partial<Line>[]) => as.manager.put<{ collectionSheet: Sheet }>(`/api/collection-sheets/${id}`, { lines })
const post = (id: string, who: keyof typeof as = 'manager') =>
  as[who].post<{ collectionSheet: Sheet }>(`/api/collection-sheets/${id}/post`, {})
const paymentsOf = (sheet: Sheet) =>
  lending.rows(
    `select p.amount::text, p."loanId" from payment p join collection_line x on x.id = p.id where x."sheetId" = $1 order by x.position`,
    sheet.Id,
  )

describe('a collection sheet', () => {
  it('begins with the members and what is due, is filled in, and posts exact to the cent, once, five times at once', async () => {
    const { id, loans } = await group(3)
    const sheet = await begun(id)
    expect(sheet).toMatchObject({ status: 'Draft', expected: 1_696, received: 0, excess: 0, short: 1_696, present: 3 })
    expect(sheet.lines.map(({ expected, loanId }) => [expected, loanId])).toEqual([
      [848, loans[0]?.Id],
      [848, loans[1]?.Id],
      [0, null],
    ])
    expect((await open(id)).status).toBe(409)
    const [one, two, three] = sheet.lines.map(({ Id }) => ({ Id }))
    const filled = await put(sheet.Id, [
      { ...one, received: 848.01 },
      { ...two, received: 100.1 },
      { ...three, attendance: 'Absent' },
    ])
    expect(filled.body.data.collectionSheet, filled.text).toMatchObject({ received: 948.11, excess: 0.01, short: 747.9, present: 2 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(sheet.Id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await paymentsOf(sheet)).toEqual([
      { amount: '848.01', loanId: loans[0]?.Id },
      { amount: '100.10', loanId: loans[1]?.Id },
    ])
    expect(await lending.read(loans[0]?.Id ?? '')).toMatchObject({ owed: 423.99 })
    expect(await lending.read(loans[1]?.Id ?? '')).toMatchObject({ owed: 1_171.9 })
    expect((await lending.balances(loans[0]?.Id))['portfolio']).toBeCloseTo(
      Number((await lending.read(loans[0]?.Id ?? ''))['principalOwed']),
      6,
    )
    expect((await put(sheet.Id, [{ ...one, received: 1 }, { ...two }, { ...three }])).status).toBe(409)
    expect((await as.manager.post(`/api/collection-sheets/${sheet.Id}/move`, { move: 'cancel', reason: 'no' })).status).toBe(409)
  })

  it('posts nothing where one line cannot be booked, and says which ones', async () => {
    const { id, loans } = await group(3)
    const sheet = await begun(id)
    const lines = sheet.lines.map(({ Id }) => ({ Id, received: 50 }))
    expect((await put(sheet.Id, lines)).status).toBe(200)
    const refused = await post(sheet.Id)
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['lines.2.received']])
    expect(await paymentsOf(sheet)).toEqual([])
    expect(await lending.read(loans[0]?.Id ?? '')).toMatchObject({ owed: 1_272 })
    expect(
      (
        await put(
          sheet.Id,
          lines.map((line, place) => ({ ...line, received: place === 2 ? 0 : 50 })),
        )
      ).status,
    ).toBe(200)
    expect((await post(sheet.Id)).status).toBe(200)
  })

  it('takes no other members, loans or expectations, no money from the future, and none that is empty', async () => {
    const { id } = await group(2)
    const sheet = await begun(id)
    const [first, second] = sheet.lines as [Line, Line]
    expect(fieldsOf(await put(sheet.Id, [{ Id: first.Id, expected: 1 }, { Id: second.Id }]))).toEqual(['lines.0.expected'])
    expect(fieldsOf(await put(sheet.Id, [{ Id: first.Id, clientId: second.clientId }, { Id: second.Id }]))).toEqual(['lines.0.clientId'])
    expect(fieldsOf(await put(sheet.Id, [{ Id: first.Id }]))).toEqual(['lines'])
    expect(fieldsOf(await put(sheet.Id, [{ Id: first.Id, received: -1 }, { Id: second.Id }]))).toEqual(['lines.0.received'])
    expect(fieldsOf(await post(sheet.Id))).toEqual(['lines'])
    expect((await put(sheet.Id, sheet.lines as Partial<Line>[])).status).toBe(200)
    const later = await open(id, { meetingOn: dayFrom(5) })
    expect(later.status).toBe(200)
    const ahead = later.body.data.collectionSheet
    await put(
      ahead.Id,
      ahead.lines.map(({ Id, loanId }) => ({ Id, received: loanId ? 10 : 0 })),
    )
    expect(fieldsOf(await post(ahead.Id))).toEqual(['lines.0.received'])
  })

  it('is for the reach of the group, and posted by who may capture payments', async () => {
    const { id } = await group(2)
    expect(fieldsOf(await open(id, {}, 'foreign'))).toEqual(['groupId'])
    expect((await open(id, {}, 'elsewhere')).status).not.toBe(200)
    const sheet = await begun(id)
    expect((await post(sheet.Id, 'foreign')).status).toBe(404)
    expect((await post(sheet.Id, 'elsewhere')).status).not.toBe(200)
    expect((await as.foreign.get<{ collectionSheets: Row[] }>('/api/collection-sheets')).body.data.collectionSheets).toEqual([])
    // Posting books the money: no other call says that it is posted.
    for (const body of [{ move: 'post' }, { status: 'Posted' }])
      expect((await as.manager.post(`/api/collection-sheets/${sheet.Id}/move`, body)).status).not.toBe(200)
    expect((await as.manager.post(`/api/collection-sheets/${sheet.Id}/move`, { move: 'cancel', reason: 'Rain' })).status).toBe(200)
    expect((await open(id)).status).toBe(200)
  })
})

it('is not begun for a group that was closed, five times at once; one that was begun before is filled in and posted', async () => {
  const { id, loans } = await group(2)
  const sheet = await begun(id)
  const closed = await as.manager.post(`/api/client-groups/${id}/move`, { move: 'close', reason: 'They fell out' })
  expect(closed.status, closed.text).toBe(200)
  const answers = await Promise.all(Array.from({ length: 5 }, () => open(id, { meetingOn: dayFrom(-1) })))
  expect(answers.map((answer) => [answer.status, answer.body.fields])).toEqual(
    Array.from({ length: 5 }, () => [422, [{ field: 'groupId', message: 'is closed: no collection sheet is begun for it' }]]),
  )
  expect((await put(sheet.Id, [{ Id: sheet.lines[0]!.Id, received: 50 }, { Id: sheet.lines[1]!.Id }])).status).toBe(200)
  const posted = await post(sheet.Id)
  expect(posted.status, posted.text).toBe(200)
  expect(await lending.read(loans[0]!.Id)).toMatchObject({ owed: 1_222 })
})
