import { afterAll, expect, it } from 'vitest'
import { runJobs } from '../leads/world.ts'
import { testApp } from '../../support/app.ts'

const app = await testApp()
afterAll(() => app.close())

const { make } = app
const group = await make.group({ name: 'Savanna' })
const company = await make.company({ group, name: 'Sunrise' })
const global = await make.user({ company: group, role: 'global', emailAddress: 'global@savanna.test' })
const admin = await make.user({ company, role: 'admin', firstName: 'Asha', lastName: 'Admin' })
const officer = await make.user({ company, role: 'officer' })
const audited = async () =>
  (
    await app.database.admin.query<{ action: string }>(
      `select action from audit_log where "companyId" = $1 and action like 'ipAddress.break%' order by seq`,
      [company.id],
    )
  ).rows.map(({ action }) => action)
const mailed = () => runJobs(app, company.id, 'ipAddresses.letIn')

it('an administrator whom a list locks out is let in by the group’s global administrators: by mail, once, for an hour', async () => {
  await app.database.admin.query(
    `insert into ip_rule ("companyId", "id", "name", "range") values ($1, gen_random_uuid(), 'Elsewhere', '196.201.214.0/24')`,
    [company.id],
  )
  app.services.changed({ companyId: company.id })
  // Nobody is asked for whoever may not mend the list, or does not know the password.
  expect((await app.login(officer)).body.code).toBe('ADDRESS_FORBIDDEN')
  await app.nobody.post('/api/auth/login', { email: admin.emailAddress, password: 'wrong wrong wrong' })
  expect(await mailed()).toBe(0)
  const refused = await Promise.all(Array.from({ length: 5 }, () => app.login(admin)))
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array.from({ length: 5 }, () => [403, 'ADDRESS_FORBIDDEN']))
  expect(refused[0]?.body.message).toContain('asked by mail')
  expect(await mailed()).toBe(1)
  const letters = await app.machine.mail.written()
  expect(letters).toHaveLength(1)
  const letter = ((await app.machine.mail.read(letters[0]?.file ?? '')) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(letter).toContain(`To: ${global.emailAddress}`)
  const path = /\/let-in\/[\w.-]+/.exec(letter)?.[0] ?? expect.fail('no link in the mail')

  const page = await app.nobody.get(path)
  expect([page.status, page.text.includes('Asha Admin'), page.text.includes('127.0.0.1')]).toEqual([200, true, true])
  expect((await app.login(admin)).status).toBe(403)
  expect((await app.nobody.get(`${path.slice(0, -1)}x`)).status).toBe(404)
  const pressed = await Promise.all(Array.from({ length: 5 }, () => app.nobody.post(path, {})))
  expect(pressed.filter(({ status }) => status === 200)).toHaveLength(1)
  const signedIn = await app.login(admin)
  expect(signedIn.status).toBe(200)
  const token = (signedIn.body.data as { token: string }).token
  const call = () => app.nobody.get('/api/ip-addresses', { authorization: `Bearer ${token}` })
  expect((await call()).status).toBe(200)
  expect((await app.login(officer)).status).toBe(403)
  expect(await audited()).toEqual(['ipAddress.breakGlassAsked', 'ipAddress.breakGlass'])

  app.clock.move(3_700)
  expect((await app.login(admin)).body.code).toBe('ADDRESS_FORBIDDEN')
  expect((await app.nobody.post(path, {})).status).not.toBe(200)
  expect((await app.login(admin)).status).toBe(403)
})
