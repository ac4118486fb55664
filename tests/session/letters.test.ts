import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { noticeKinds } from '../../apps/server/src/areas/auth/letters/letters.ts'
import { testApp, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let admin: MadeUser
beforeAll(async () => {
  app = await testApp()
  company = await app.make.company({ name: 'Sunrise Credit' })
  admin = await app.make.user({ company, role: 'admin' })
})
afterAll(() => app.close())

const phone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'
const person = () => app.make.user({ company, role: 'md', firstName: 'Awa' })
const speaks = async (user: MadeUser, language: string) =>
  expect((await (await app.as(user)).put('/api/users/preferences', { language })).status).toBe(200)
const choose = async (value: string | null) => {
  const { status, text } = await (await app.as(admin)).put(`/api/settings/${company.id}`, { mailLanguage: value })
  expect(status, text).toBe(200)
}

/** What a job of mail writes to the user: subject and text. */
async function letterOf(type: string, user: MadeUser, payload: object): Promise<string> {
  const job = app.areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === type)
  const before = new Set((await app.machine.mail.written()).map(({ file }) => file))
  const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: null })
  const id = crypto.randomUUID()
  await job?.run(ctx, { userId: user.id, ...payload }, { id, attempt: 1, signal: new AbortController().signal })
  const [fresh] = (await app.machine.mail.written()).filter(({ file }) => !before.has(file))
  return plain((await app.machine.mail.read(fresh?.file ?? '')) ?? '')
}
/** As the person reads it, without the encodings of a mail. */
const plain = (mail: string) =>
  mail
    .replaceAll(/\?=\r\n\s+=\?UTF-8\?Q\?/gi, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) => text.replaceAll('_', ' '))
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'))
    .replaceAll(/[\u00A0\u202F]/g, ' ')
const accountMail = (user: MadeUser, kind: string) => letterOf('auth.mail', user, { kind })

describe('a mail about an account', () => {
  it('is in the language that its person chose', async () => {
    const user = await person()
    expect(await accountMail(user, 'reset')).toContain('Hello Awa,')
    await speaks(user, 'fr')
    const reset = await accountMail(user, 'reset')
    expect(reset).toContain('Réinitialisez votre mot de passe')
    expect(reset).toContain('Bonjour Awa,')
    expect(reset).toMatch(/\/reset-password\/[A-Za-z0-9_-]{43}/)
    expect(reset).toContain('ignorez ce message')
    expect(await accountMail(user, 'verify')).toContain('Confirmez votre adresse e-mail')
    for (const what of noticeKinds)
      expect(await letterOf('auth.notice', user, { what }), what).toMatch(/Bonjour Awa,[\s\S]*prévenez un administrateur/)
    await speaks(user, 'pt')
    expect(await accountMail(user, 'reset')).toMatch(/Reponha a sua palavra-passe[\s\S]*Olá Awa,[\s\S]*ignore esta mensagem/)
    await speaks(user, 'sw')
    expect(await accountMail(user, 'verify')).toMatch(/Thibitisha barua pepe yako[\s\S]*Habari Awa,[\s\S]*puuza ujumbe huu/)
  })

  it('of a sign-in from a new device is French to the last word, the day with it', async () => {
    const user = await person()
    await speaks(user, 'fr')
    await app.nobody.post('/api/auth/login', { email: user.emailAddress, password: user.password }, { 'user-agent': phone })
    const { rows } = await app.database.admin.query<{ id: string }>(
      `select id from login_event where "userId" = $1 and kind = 'login' order by "userAgent" = $2 desc`,
      [user.id, phone],
    )
    const letter = await letterOf('auth.newDevice', user, { eventId: rows[0]?.id })
    expect(letter).toContain('Connexion depuis un nouvel appareil')
    expect(letter).toContain('Appareil : Chrome sur Android')
    expect(letter).toContain('Comment : Avec le mot de passe')
    expect(letter).toMatch(/Quand : (lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) \d/)
    expect(letter).not.toMatch(/When|Device|Not known/)
    await app.database.admin.query(`update login_event set "userAgent" = null, detail = null where id = $1`, [rows[0]?.id])
    expect(await letterOf('auth.newDevice', user, { eventId: rows[0]?.id })).toContain('Appareil : Navigateur inconnu')
  })

  it('to who has chosen none is in the company’s', async () => {
    const [invited, speaker] = [await person(), await person()]
    await app.database.admin.query(`update app_user set "invitation" = 'sent' where id = $1`, [invited.id])
    await speaks(speaker, 'sw')
    expect(await accountMail(invited, 'invite')).toContain('Your account is ready')
    await choose('fr')
    expect(await accountMail(invited, 'invite')).toContain('Votre compte est prêt')
    expect(await accountMail(speaker, 'reset')).toContain('Habari Awa,')
    const english = await person()
    await speaks(english, 'en')
    expect(await accountMail(english, 'reset')).toContain('Hello Awa,')
    await choose('pt')
    expect(await accountMail(invited, 'invite')).toContain('A sua conta está pronta')
    await choose(null)
    expect(await accountMail(invited, 'invite')).toContain('Your account is ready')
  })
})
