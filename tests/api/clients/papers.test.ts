import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDay } from '@outpost/rules/time-zone'
import { papersJob } from '../../../apps/server/src/areas/clients/client.papers.job.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(new Date(Date.now() + days * 86_400_000))
const rows = async (text: string, values: unknown[] = []) => (await world.app.database.admin.query(text, values)).rows
const look = async () => {
  const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  await ctx.transaction((inner) => papersJob.job.run(inner, {}, { id: 'test', attempt: 1, signal: new AbortController().signal }))
}
const told = async () =>
  (await rows(`select message from notification where "userId" = $1 order by "dateCreated"`, [world.people.officer.id])).map(
    ({ message }) => message,
  )
const planned = () =>
  rows(`select "runAt" from outbox where "type" = 'clients.papers' and "companyId" = $1 and "status" = 'new'`, [world.company.id])

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('papers that expire', () => {
  it('are notified to the agent once for each warning, and counted by the tile that opens them', async () => {
    const { as } = world
    let phones = 741_000_000
    const save = async (lastName: string, expiresOn: string | null) => {
      const body = { firstName: 'Atieno', lastName, phonenumber: `0${(phones += 1)}`, documents: [{ kind: 'Passport', expiresOn }] }
      const answer = await as.officer.post<{ client: { Id: string } }>('/api/clients', body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.client.Id
    }
    expect(await planned()).toHaveLength(0)
    const soon = await save('Soon', dayIn(30))
    await save('Later', dayIn(31))
    await save('Over', dayIn(-1))
    await save('Nothing', null)
    const [first, ...others] = await planned()
    expect([others.length, first.runAt > new Date()]).toEqual([0, true])

    await look()
    await look()
    expect(await told()).toEqual([`Passport of Atieno Soon expires on ${formatDay(dayIn(30))}`])
    // The days left go on; the warning of thirty days is behind.
    await rows(`update client_document set "expiresOn" = "expiresOn" - 24 where "clientId" = $1`, [soon])
    await look()
    await look()
    expect(await told()).toHaveLength(2)
    expect((await planned()).length).toBeGreaterThan(0)

    const { body } = await as.officer.get<{ tiles: Record<string, { value: number; open: string }> }>('/api/home/figures')
    const { value, open } = body.data.tiles['clients-papers'] ?? expect.fail('no tile')
    const filter = new URL(open, 'http://x').searchParams.get('filter') ?? ''
    const listed = await as.officer.get<{ clients: { lastName: string; kyc: string }[] }>(
      `/api/clients?filter=${encodeURIComponent(filter)}`,
    )
    expect(listed.body.data.clients.map(({ lastName, kyc }) => [lastName, kyc]).toSorted()).toEqual([
      ['Over', 'EXPIRED'],
      ['Soon', 'EXPIRING'],
    ])
    expect(value).toBe(2)
  })
})
