import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushNotificationJob } from '../../../apps/server/src/areas/notifications/push.job.ts'
import type { PushOutcome, PushSubscription } from '../../../apps/server/src/areas/notifications/push.sender.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { SignedInClient } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
const path = '/api/firebase/register-device'
const p256dh = createECDH('prime256v1').generateKeys('base64url')
const auth = randomBytes(16).toString('base64url')
const newToken = () => JSON.stringify({ endpoint: `https://push.example.com/${randomUUID()}`, keys: { p256dh, auth } })
const register = async (client: SignedInClient) => {
  const token = newToken()
  expect((await client.post(path, { token })).status).toBe(200)
  return token
}
const tokensOf = async (user: { id: string }) =>
  (await rows('select token from push_device where "userId" = $1', user.id)).map(({ token }) => token)

let phones = 712_400_000
/** Gives the officer a lead, as the manager, which is news of the kind "leads". */
async function assign() {
  const body = { firstName: 'Push', lastName: 'Kamau', phonenumber: `0${(phones += 1)}` }
  const { lead } = (await world.as.manager.post<{ lead: { Id: string } }>('/api/leads', body)).body.data
  const answer = await world.as.manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: world.people.officer.id })
  expect(answer.status).toBe(200)
}

/** Runs the waiting push jobs with push services that answer like this; gives what each got. */
async function push(answer: (to: PushSubscription) => PushOutcome) {
  const sent: { to: PushSubscription; message: Record<string, unknown> }[] = []
  const job = pushNotificationJob(async (to, message) => {
    sent.push({ to, message: { ...message } })
    return answer(to)
  })
  const waiting = await rows(
    `update outbox set status = 'done' where type = 'notifications.push' and status = 'new' returning id, payload, "userId"`,
  )
  for (const { id, payload, userId } of waiting) {
    const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: String(userId) })
    await ctx.transaction((inner) => job.run(inner, payload as never, { id: String(id), attempt: 1, signal: new AbortController().signal }))
  }
  return sent
}

describe('a push message', () => {
  it('goes to each device of its reader, says what kind of news it is and opens its record, and names nobody', async () => {
    await assign()
    expect(await push(() => 'sent')).toEqual([])
    const tokens = [await register(world.as.officer), await register(world.as.officer)]
    await register(world.as.elsewhere)
    await assign()
    const sent = await push(() => 'sent')
    expect(sent.map(({ to }) => to.endpoint).toSorted()).toEqual(
      tokens.map((token) => (JSON.parse(token) as PushSubscription).endpoint).toSorted(),
    )
    expect(sent[0]?.message).toEqual({ Id: expect.any(String), title: 'Sunrise: Leads', link: expect.stringMatching(/^\/sales\/leads/) })
    expect(JSON.stringify(sent)).not.toMatch(/Kamau|Baraka|Chidi|712 ?400 ?\d{3}/)
  })

  it('removes a device whose subscription has ended, and comes again where the service is busy', async () => {
    const kept = await register(world.as.officer)
    await assign()
    await push((to) => (kept.includes(to.endpoint) ? 'sent' : 'gone'))
    expect(await tokensOf(world.people.officer)).toEqual([kept])
    await assign()
    await expect(push(() => 'later')).rejects.toThrow('try again later')
    expect(await tokensOf(world.people.officer)).toEqual([kept])
  })

  it('is not sent for a kind that is not wanted on devices, though it rings; nor for one that was read meanwhile', async () => {
    const wish = (push: boolean, bell = true) =>
      world.as.officer.put('/api/notification/preferences', { kind: 'leads', bell, mail: false, push })
    await wish(false)
    await assign()
    expect(await push(() => 'sent')).toEqual([])
    expect((await world.as.officer.get('/api/notification/preferences')).body.data).toMatchObject({
      preferences: expect.arrayContaining([expect.objectContaining({ kind: 'leads', bell: true, push: false })]),
    })
    // A client that knows bell and mail only leaves it as it is.
    await world.as.officer.put('/api/notification/preferences', { kind: 'leads', bell: true, mail: false })
    await assign()
    expect(await push(() => 'sent')).toEqual([])
    await wish(true, false)
    await assign()
    expect(await push(() => 'sent')).toHaveLength(1)
    await wish(true)
    await assign()
    await world.as.officer.post('/api/notification/markallread')
    expect(await push(() => 'sent')).toEqual([])
  })
})

describe('a device', () => {
  it('gets the key, and ends its own messages only', async () => {
    const { publicKey } = (await world.as.officer.get<{ publicKey: string }>('/api/firebase/key')).body.data
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
    const token = await register(world.as.officer)
    await world.as.manager.del(path, { token })
    expect(await tokensOf(world.people.officer)).toContain(token)
    expect((await world.as.officer.del(path, { token })).status).toBe(200)
    expect(await tokensOf(world.people.officer)).not.toContain(token)
  })

  it('is refused where its messages would go into the network of the server', async () => {
    for (const endpoint of ['https://127.0.0.1/x', 'http://push.example.com/x', 'https://10.0.0.7/x']) {
      const token = JSON.stringify({ endpoint, keys: { p256dh, auth } })
      expect(fieldsOf(await world.as.officer.post(path, { token }))).toEqual(['token'])
    }
    expect((await world.app.nobody.get('/api/firebase/key')).status).toBe(401)
  })
})
