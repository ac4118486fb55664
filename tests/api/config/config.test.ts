import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
type Label = { label: { Id: string; label: string; value: string } }
const make = (label: string, value: string) => world.as.admin.post<Label>('/api/config/labels', { label, value })

describe('labels', () => {
  it('replace words for everybody of the company, and for nobody else', async () => {
    expect((await make('Leads', 'Prospects')).status).toBe(200)
    expect((await world.as.officer.get('/api/config/language/en')).body.data).toEqual({
      language: [{ label: 'Leads', value: 'Prospects' }],
    })
    expect((await world.as.officer.get('/api/config/language/en-GB')).body.data).toEqual({
      language: [{ label: 'Leads', value: 'Prospects' }],
    })
    expect((await world.as.officer.get('/api/config/language/xx')).body.data).toEqual({ language: [] })
    expect((await world.as.foreign.get('/api/config/language/en')).body.data).toEqual({ language: [] })
    expect((await world.as.officer.get('/api/console')).body.data).toMatchObject({ language: [{ label: 'Leads', value: 'Prospects' }] })
  })
  it('have a word of their own in each language, once each', async () => {
    const put = (language: string, value: string) => world.as.admin.post<Label>('/api/config/labels', { label: 'Case', value, language })
    for (const [language, value] of [
      ['fr', 'Dossier'],
      ['en', 'Matter'],
      ['sw', 'Shauri'],
    ] as const)
      expect((await put(language, value)).status).toBe(200)
    expect((await put('fr', 'Affaire')).body.code).toBe('ALREADY_EXISTS')
    expect(fieldsOf(await put('xx', 'Y'))).toEqual(['language'])
    expect((await world.as.officer.get('/api/config/language/fr')).body.data).toEqual({ language: [{ label: 'Case', value: 'Dossier' }] })
    const { language } = (await world.as.officer.get<{ language: { label: string; value: string }[] }>('/api/console')).body.data
    expect(language.filter(({ label }) => label === 'Case')).toEqual([
      { language: 'fr', label: 'Case', value: 'Dossier' },
      { language: 'sw', label: 'Case', value: 'Shauri' },
      // A console of before today takes the last one.
      { language: 'en', label: 'Case', value: 'Matter' },
    ])
    expect((await world.as.foreign.get('/api/console')).body.data).toMatchObject({ language: [] })
  })
  it('are administered: list, change, delete', async () => {
    const { Id } = (await make('Branch', 'Office')).body.data.label
    expect((await world.as.admin.get('/api/config/labels?search=offi')).body.data).toMatchObject({
      labels: [{ Id, label: 'Branch', value: 'Office' }],
    })
    expect((await world.as.admin.put(`/api/config/labels/${Id}`, { value: 'Station' })).body.data).toMatchObject({
      label: { value: 'Station' },
    })
    expect((await world.as.foreign.put(`/api/config/labels/${Id}`, { value: 'Stolen' })).status).toBe(404)
    expect((await world.as.foreign.get(`/api/config/labels/${Id}`)).status).toBe(404)
    expect((await world.as.admin.del(`/api/config/labels/${Id}`)).status).toBe(200)
    expect((await rows('select action from audit_log where "objectId" = $1 order by seq', Id)).map((row) => row['action'])).toEqual([
      'label.create',
      'label.update',
      'label.remove',
    ])
  })
  it('exist once, and name what is wrong', async () => {
    await make('Team', 'Crew')
    expect(await make('Team', 'Squad')).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
    expect(fieldsOf(await world.as.admin.post('/api/config/labels', { label: '', value: 1 }))).toEqual(['label', 'value'])
  })
  it('are for whoever may change settings', async () => {
    for (const answer of [
      await world.as.manager.get('/api/config/labels'),
      await world.as.manager.post('/api/config/labels', { label: 'a', value: 'b' }),
      await world.as.manager.get('/api/console/screens/admin-settings'),
    ])
      expect(answer.status).toBe(403)
    expect((await world.as.admin.get('/api/console/screens/admin-settings-labels')).body.data).toMatchObject({
      view: { kind: 'list', routes: { create: '/admin/settings/labels/add', edit: '/admin/settings/labels/edit/:id' } },
    })
  })
})

describe('error log', () => {
  const report = { entityType: 'lead', entityId: 'x-1', errorDetail: 'GPS failed' }

  it('takes the caller as the user, whoever the body names', async () => {
    const Id = randomUUID()
    const answer = await world.as.officer.post('/api/error_log', { ...report, Id, userId: world.people.admin.id })
    expect(answer.body.data).toEqual({ errorLog: { Id } })
    await world.as.officer.post('/api/error_log', { ...report, Id, errorDetail: 'another' })
    expect(await rows('select "userId", "tenantId", "errorDetail" from error_log where id = $1', Id)).toEqual([
      { userId: world.people.officer.id, tenantId: world.team.id, errorDetail: 'GPS failed' },
    ])
    expect((await world.as.officer.get(`/api/error_log/${Id}`)).body.data).toMatchObject({
      errorLog: { entityId: 'x-1', userIdLabel: 'Chidi Officer' },
    })
    expect((await world.as.admin.get(`/api/error_log/${Id}`)).status).toBe(200)
    for (const client of [world.as.manager, world.as.elsewhere, world.as.foreign])
      expect((await client.get(`/api/error_log/${Id}`)).status).toBe(404)
  })
  it('is reported by reach, 30 days back unless asked otherwise', async () => {
    await world.as.elsewhere.post('/api/error_log', { ...report, errorDetail: { code: 101 } })
    const seen = async (client: World['as']['admin'], query = '') =>
      (await client.get<{ errorLogs: { userId: string; errorDetail: string }[] }>(`/api/error_log/error-log-report${query}`)).body.data
        .errorLogs
    expect((await seen(world.as.admin)).map(({ errorDetail }) => errorDetail)).toEqual(['{"code":101}', 'GPS failed'])
    expect((await seen(world.as.manager)).map(({ userId }) => userId)).toEqual([world.people.officer.id])
    expect(await seen(world.as.admin, '?startDate=2020-01-01&endDate=2020-01-31')).toEqual([])
    expect((await world.as.officer.get('/api/error_log/error-log-report')).status).toBe(403)
  })
  it('keeps neither places, persons nor secrets that an older console sends as they were', async () => {
    const Id = randomUUID()
    const crumb = (what: string) => ({ at: '2026-11-28T01:38:47.000Z', what })
    const detail = (screen: string, whats: string[]) =>
      JSON.stringify({ message: 'TypeError: no balance', screen, at: '2026-11-28T01:38:47.000Z', before: whats.map(crumb) })
    const raw = [
      'GET /api/usertracking/geo_address/-1.292066/36.821946 200',
      `/impersonate/${Id}/officer.sunrise`,
      '/not-me/abcDEF',
      `GET /api/geo/assets/${Id}/odometer 200`,
    ]
    const told = ['GET /api/usertracking/geo_address/:lat/:lng 200', '/impersonate/*', '/not-me/*', 'GET /api/geo/assets/:id/odometer 200']
    const post = { entityType: 'console', Id, errorDetail: detail('/sales/agents/location/36.821946/-1.292066', raw) }
    expect((await world.as.officer.post('/api/error_log', post)).status).toBe(200)
    expect(await rows('select "errorDetail" from error_log where id = $1', Id)).toEqual([
      { errorDetail: detail('/sales/agents/location/:lng/:lat', told) },
    ])
    const plain = randomUUID()
    await world.as.officer.post('/api/error_log', {
      ...post,
      Id: plain,
      errorDetail: 'Refused at /reset-password/abcDEF for amina@example.com',
    })
    expect(await rows('select "errorDetail" from error_log where id = $1', plain)).toEqual([
      { errorDetail: 'Refused at /reset-password/* for :e-mail' },
    ])
  })
  it('names what is missing', async () => {
    expect(fieldsOf(await world.as.officer.post('/api/error_log', { entityId: 'x', more: 1 }))).toEqual([
      'entityType',
      'errorDetail',
      'more',
    ])
  })
})
