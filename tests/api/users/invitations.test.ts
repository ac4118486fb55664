import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const password = 'a long sentence to remember 2026'
let made = 0
async function invite(): Promise<{ id: string; email: string }> {
  made += 1
  const email = `new${made}@sunrise.test`
  const answer = await world.as.admin.post<{ user: { Id: string } }>('/api/users', {
    firstName: 'New',
    lastName: 'Comer',
    userName: `new${made}`,
    emailAddress: email,
  })
  expect(answer.status, answer.text).toBe(200)
  return { id: answer.body.data.user.Id, email }
}
const all: string[] = []
/** Does the mail jobs that wait, as a worker does; the tokens of all invitations sent so far, in their order. */
async function tokens(): Promise<string[]> {
  const { areas, services, machine, database } = world.app
  const { rows } = await database.admin.query(`update outbox set status = 'done' where status = 'new' and type = 'auth.mail' returning *`)
  const job = areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === 'auth.mail')
  for (const row of rows) {
    const before = new Set((await machine.mail.written()).map(({ file }) => file))
    const ctx = await makeJobCtx(services, { companyId: row.companyId, userId: null })
    await job?.run(ctx, row.payload, { id: row.id, attempt: 1, signal: new AbortController().signal })
    const [fresh] = (await machine.mail.written()).filter(({ file }) => !before.has(file))
    const text = ((fresh && (await machine.mail.read(fresh.file))) ?? '').replaceAll(/=\r?\n/g, '')
    all.push(...(/(?:verification\/[^/]+|reset-password)\/([\w-]+)/.exec(text)?.slice(1) ?? []))
  }
  return all
}
const state = async (id: string) =>
  (await world.as.admin.get<{ user: { invitation: string | null } }>(`/api/users/${id}`)).body.data.user.invitation
const open = (id: string, token: string) => world.app.nobody.post<{ resetToken?: string }>('/api/auth/verification', { userId: id, token })
const choose = (token: string | undefined) => world.app.nobody.post('/api/auth/reset-password', { token, password })

describe('an invitation', () => {
  it('is shown until its person has chosen a password, by a link that counts once', async () => {
    const { id, email } = await invite()
    expect(await state(id)).toBe('sent')
    const token = (await tokens()).at(-1) ?? expect.fail('no mail')
    const opened = await open(id, token)
    expect(opened.status, opened.text).toBe(200)
    expect((await open(id, token)).body.code).toBe('TOKEN_INVALID')
    expect((await choose(opened.body.data.resetToken)).status).toBe(200)
    expect(await state(id)).toBeNull()
    expect((await world.app.login({ emailAddress: email, password })).status).toBe(200)
    const again = await world.as.admin.post('/api/users/invite', { userIds: [id] })
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    // The link itself is nowhere.
    const { rows } = await world.app.database.admin.query(
      'select row_to_json(t)::text as text from one_time_token t union all select row_to_json(o)::text from outbox o',
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('sent again ends the one before, and expires after seven days', async () => {
    const { id } = await invite()
    const first = (await tokens()).at(-1) ?? ''
    expect((await world.as.admin.post('/api/users/invite', { userIds: [id] })).status).toBe(200)
    const second = (await tokens()).at(-1) ?? ''
    expect(second).not.toBe(first)
    expect((await open(id, first)).body.code).toBe('TOKEN_INVALID')
    const opened = await open(id, second)
    // Opened and not finished, sent once more: what was begun ends too.
    await world.as.admin.post('/api/users/invite', { userIds: [id] })
    const third = (await tokens()).at(-1) ?? ''
    expect((await choose(opened.body.data.resetToken)).body.code).toBe('TOKEN_INVALID')
    await world.app.database.admin.query(`update app_user set "invitedAt" = now() - interval '8 days' where id = $1`, [id])
    expect(await state(id)).toBe('expired')
    const list = await world.as.admin.get<{ users: { Id: string; invitation: string }[] }>('/api/users?search=new2')
    expect(list.body.data.users.find(({ Id }) => Id === id)?.invitation).toBe('expired')
    await world.app.database.admin.query(`update one_time_token set "expiresAt" = now() - interval '1 minute' where "userId" = $1`, [id])
    expect((await open(id, third)).body.code).toBe('TOKEN_INVALID')
  })

  it('revoked leads nowhere: not from the mailbox, not from the queue, not by a forgotten password', async () => {
    const { id, email } = await invite()
    const token = (await tokens()).at(-1) ?? ''
    const { resetToken } = (await open(id, token)).body.data
    expect((await world.as.admin.post('/api/users/invite/revoke', { userIds: [id] })).status).toBe(200)
    expect(await state(id)).toBe('revoked')
    expect((await choose(resetToken)).body.code).toBe('TOKEN_INVALID')
    await world.app.nobody.post('/api/auth/forgot-password', { email })
    const before = (await tokens()).length
    const other = await invite()
    expect((await world.as.admin.post('/api/users/invite/revoke', { userIds: [other.id] })).status).toBe(200)
    expect(await tokens()).toHaveLength(before)
    expect((await world.as.admin.post('/api/users/invite', { userIds: [id] })).status).toBe(200)
    expect((await open(id, (await tokens()).at(-1) ?? '')).status).toBe(200)
  })

  it('is sent and revoked only by who may make users, for users in their reach and not above them', async () => {
    const { id } = await invite()
    const role = await world.app.make.role({ company: world.company, name: 'Inviter', permissions: ['ADMIN/USERS', 'ADMIN/USERS/CREATE'] })
    const inviter = await world.app.as(await world.app.make.user({ tenant: world.branch, role }))
    for (const path of ['/api/users/invite', '/api/users/invite/revoke']) {
      expect((await world.as.officer.post(path, { userIds: [id] })).status).toBe(403)
      expect((await world.as.foreign.post(path, { userIds: [id] })).status).toBe(404)
      expect((await inviter.post(path, { userIds: [id] })).status).toBe(404)
      expect((await world.as.admin.post(path, { userIds: [id, world.people.officer.id] })).status).toBe(409)
      expect(await state(id)).toBe('sent')
    }
  })
})
