import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { pngOf } from '../../support/picture.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type Client = World['as']['admin']
type Settings = { settings: Record<string, string | null> & { origins: Record<string, { value: string; from: string | null }> } }
interface Layout {
  company: { formats: Record<string, string>; look: { colour?: string; logo?: string } }
}
const path = (id = world.company.id) => `/api/settings/${id}`
const save = (body: object, client: Client = world.as.admin, id?: string) => client.put<Settings>(path(id), body)
const faults = ({ body }: { body: { fields?: { field: string; message: string }[] } }) =>
  body.fields?.map(({ field, message }) => `${field} ${message}`)
const companyOf = async (client: Client) => (await client.get<Layout>('/api/console')).body.data.company
const logo = pngOf(120, 40)
const send = (bytes: Buffer = logo, { client = world.as.admin, name = 'logo.png', id = world.company.id } = {}) =>
  client.upload<Settings>(`${path(id)}/logo`, {}, {}, [{ name, bytes }])

describe('the formats of a company', () => {
  it('are as nobody had chosen, then as chosen, for everybody in it and nobody else', async () => {
    const standard = { date: 'D MMM YYYY', number: 'language', firstDay: 'monday', currency: 'symbol' }
    expect((await companyOf(world.as.officer)).formats).toEqual(standard)
    const chosen = { dateFormat: 'DD/MM/YYYY', numberFormat: '1.234,56', firstDayOfWeek: 'sunday', currencyDisplay: 'code' }
    expect((await save(chosen)).status).toBe(200)
    expect((await companyOf(world.as.officer)).formats).toEqual({
      date: 'DD/MM/YYYY',
      number: '1.234,56',
      firstDay: 'sunday',
      currency: 'code',
    })
    expect((await companyOf(world.as.foreign)).formats).toEqual(standard)
    const { body } = await world.as.admin.get<{ timeline: { label: string; before: string | null; after: string }[] }>(`${path()}/history`)
    expect(body.data.timeline.find(({ label }) => label === 'A week begins on')).toMatchObject({ before: null, after: 'Sunday' })
    expect((await save((await world.as.admin.get<Settings>(path())).body.data.settings)).status).toBe(200)
    expect((await save({ dateFormat: null, numberFormat: null, firstDayOfWeek: null, currencyDisplay: null })).status).toBe(200)
    expect((await companyOf(world.as.officer)).formats).toEqual(standard)
  })

  it('are refused by name when there is no such format, and for a branch', async () => {
    for (const value of ['D/M/YY', '', 7, true, ['D MMM YYYY'], 'constructor'])
      expect(fieldsOf(await save({ currencyDisplay: 'code', dateFormat: value }))).toEqual(['dateFormat'])
    expect(faults(await save({ firstDayOfWeek: 'friday' }))).toEqual(['firstDayOfWeek must be one of monday, sunday, saturday'])
    expect(faults(await save({ dateFormat: 'YYYY-MM-DD' }, world.as.admin, world.branch.id))).toEqual([
      'dateFormat is chosen for the whole company',
    ])
    expect((await companyOf(world.as.admin)).formats['currency']).toBe('symbol')
    expect((await save({ dateFormat: 'YYYY-MM-DD' }, world.as.officer)).status).toBe(403)
    expect((await save({ dateFormat: 'YYYY-MM-DD' }, world.as.foreign)).status).toBe(404)
  })
})

describe('a week', () => {
  it('of a list begins on the day that the company chose, for sessions that are open too', async () => {
    const { officer, admin } = world.as
    const made = await officer.post<{ lead: { Id: string } }>('/api/leads', {
      firstName: 'Week',
      lastName: 'Begins',
      phonenumber: '0712300499',
    })
    const { rows } = await world.app.database.admin.query<{ timeZone: string }>('select "timeZone" from tenant where "id" = $1', [
      world.company.id,
    ])
    const zone = rows[0]?.timeZone ?? 'UTC'
    const isShown = async (at: number) => {
      const [id, date] = [made.body.data.lead.Id, new Date(at).toISOString()]
      // Not by the door that devices follow: only the date is another.
      await world.app.database.admin.query(
        `do $$ begin set local session_replication_role = 'replica'; update lead set "dateCreated" = '${date}' where id = '${id}'; end $$`,
      )
      const answer = await admin.get<{ leads: { Id: string }[] }>('/api/leads?dateType=created')
      return answer.body.data.leads.some(({ Id }) => Id === made.body.data.lead.Id)
    }
    for (const [firstDayOfWeek, start] of [
      ['sunday', 0],
      ['saturday', 6],
      [null, 1],
    ] as const) {
      expect((await save({ firstDayOfWeek })).status).toBe(200)
      const today = dayOf(Date.now(), zone)
      const first = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 7 - start) % 7))
      const [begin, end] = [timeAt(first, 0, zone), timeAt(addDays(first, 7), 0, zone)]
      expect(
        [await isShown(begin - 1_000), await isShown(begin), await isShown(end - 1_000), await isShown(end)],
        String(firstDayOfWeek),
      ).toEqual([false, true, true, false])
    }
  })
})

describe('the colour of a company', () => {
  it('is refused where it cannot be read, with one that would do, and taken where it can', async () => {
    const [fault = ''] = faults(await save({ primaryColour: '#ffcc00' })) ?? []
    expect(fault).toContain('primaryColour is too light to be read: its contrast is 1.4:1, and WCAG AA asks for 4.5:1.')
    for (const none of ['red', '#fff', '#0a56bf}body{display:none', '', 5])
      expect(fieldsOf(await save({ primaryColour: none }))).toEqual(['primaryColour'])
    expect((await companyOf(world.as.officer)).look).toEqual({})
    expect((await save({ primaryColour: /#\w{6}(?= would)/.exec(fault)?.[0] })).status).toBe(200)
    expect((await save({ primaryColour: '#7a1f6b' })).status).toBe(200)
    expect((await companyOf(world.as.officer)).look).toEqual({ colour: '#7a1f6b' })
    expect((await companyOf(world.as.foreign)).look).toEqual({})
  })
})

describe('the logo of a company', () => {
  it('is taken in once, shown to everybody, and goes when it is taken back', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data.settings['logo'])).size).toBe(1)
    const { rows } = await world.app.database.admin.query(
      `select "after" from audit_log where "companyId" = $1 and "after" ->> 'name' = 'logo'`,
      [world.company.id],
    )
    expect(rows).toHaveLength(1)
    const shown = (await companyOf(world.as.officer)).look.logo ?? ''
    const got = await world.app.nobody.get(shown)
    expect([got.status, got.headers['content-type'], got.headers['cache-control'], got.bytes.equals(logo)]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable',
      true,
    ])
    expect(got.headers['content-security-policy']).toContain('sandbox')
    expect((await save({ logo: null })).status).toBe(200)
    expect((await companyOf(world.as.officer)).look.logo).toBeUndefined()
  })

  it('that was replaced or taken back is stored no more, and stays where a save fails', async () => {
    const { admin } = world.app.database
    const stored = async () =>
      (await admin.query<{ id: string }>('select id from company_logo where "companyId" = $1', [world.company.id])).rows.map(({ id }) => id)
    const logoOf = async () => (await companyOf(world.as.officer)).look.logo?.split('/').at(-1) ?? null
    await send()
    const first = await logoOf()
    expect(await stored()).toEqual([first])
    await admin.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert or update on audit_log for each row execute function refuse()`,
    )
    expect((await send(pngOf(200, 60))).status).toBe(500)
    expect((await save({ logo: null })).status).toBe(500)
    await admin.query('drop trigger refuse on audit_log')
    expect([await stored(), await logoOf()]).toEqual([[first], first])
    // Five different ones at once: one is shown, and that one alone is stored.
    const sent = await Promise.all([100, 110, 120, 130, 140].map((width) => send(pngOf(width, 60))))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await stored()).toEqual([await logoOf()])
    expect((await world.app.nobody.get(`/api/brand/logo/${first}`)).status).toBe(404)
    expect((await save({ logo: null })).status).toBe(200)
    expect(await stored()).toEqual([])
  })

  it('is a picture that screens and PDFs can show, and nothing else', async () => {
    expect(faults(await send(pngOf(20, 20)))).toEqual(['file is smaller than 24 pixels a side'])
    expect(faults(await send(pngOf(2_001, 300)))).toEqual(['file is larger than 2000 pixels a side'])
    expect(fieldsOf(await send(pngOf(900, 30)))).toEqual(['file'])
    const cut = logo.subarray(0, 60)
    expect(fieldsOf(await send(cut))).toEqual(['file'])
    expect((await send(Buffer.from('<svg/>'), { name: 'logo.svg' })).body.code).toBe('UNSUPPORTED_TYPE')
    expect((await send(Buffer.from('<svg/>'))).body.code).toBe('UNSUPPORTED_TYPE')
    expect((await send(Buffer.concat([logo, randomBytes(210_000)]))).body.code).toBe('TOO_LARGE')
    expect(fieldsOf(await world.as.admin.post(`${path()}/logo`, {}))).toEqual(['file'])
    expect((await companyOf(world.as.officer)).look.logo).toBeUndefined()
  })

  it('is set by whoever may choose settings there, never by its id', async () => {
    expect((await send(logo, { client: world.as.officer })).status).toBe(403)
    expect((await send(logo, { client: world.as.foreign })).status).toBe(404)
    expect(fieldsOf(await send(logo, { id: world.branch.id }))).toEqual(['file'])
    const theirs = await send(pngOf(60, 60, [1, 2, 3]), { client: world.as.foreign, id: world.stranger.id })
    expect(faults(await save({ logo: theirs.body.data.settings['logo'] }))).toEqual(['logo is uploaded, not written'])
    for (const id of ['x', "' or 1=1", world.company.id])
      expect((await world.app.nobody.get(`/api/brand/logo/${encodeURIComponent(id)}`)).status).toBe(404)
  })

  it('is shown with the colour on pages for people outside, under a policy that lets it through, and on PDFs', async () => {
    await send()
    await save({ primaryColour: '#7a1f6b' })
    const made = await world.as.officer.post<{ lead: { Id: string } }>('/api/leads', {
      firstName: 'Amina',
      lastName: 'Odhiambo',
      phonenumber: '0712300400',
    })
    const { Id } = made.body.data.lead
    const token = `${world.company.id}.${randomBytes(32).toString('base64url')}`
    await world.app.database.admin.query(
      `insert into lead_consent ("companyId", "id", "tenantId", "leadId", "purpose", "mobileNumber", "textVersion", "textHash", "expiresAt", "tokenHash")
      select "companyId", gen_random_uuid(), "tenantId", "id", 'MARKETING', '0712300400', 'marketing-1', $3, now() + interval '7 days', $3
      from lead where "companyId" = $1 and "id" = $2`,
      [world.company.id, Id, createHash('sha256').update(token).digest()],
    )
    const page = await world.app.nobody.get(`/consent/${token}`)
    expect(page.text).toContain('--primary:#7a1f6b')
    expect(page.text).toContain(`<img src="${(await companyOf(world.as.officer)).look.logo}" alt="">`)
    expect(page.headers['content-security-policy']).toContain("img-src 'self'")
    const pdf = async () => (await world.as.officer.post('/api/leads/generate-pdf', { pdfData: Id })).bytes
    const withLogo = await pdf()
    await save({ logo: null, primaryColour: null })
    const without = await pdf()
    const images = (bytes: Buffer) => bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0
    expect([images(withLogo), images(without)]).toEqual([1, 0])
    const plain = await world.app.nobody.get(`/consent/${token}`)
    expect([plain.text.includes('<img'), plain.headers['content-security-policy']?.toString().includes('img-src')]).toEqual([false, false])
  })
})
