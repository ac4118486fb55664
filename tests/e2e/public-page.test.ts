import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { pageAnswer } from '../../apps/server/src/kernel/public/html.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson } from '../support/browser.ts'
import { look } from './support/look.ts'

const url = inject('outpostUrl')
let browser: Browser
let office: pg.Client

beforeAll(async () => {
  browser = await launchBrowser()
  office = new pg.Client(inject('outpostDatabaseUrl'))
  await office.connect()
})
afterAll(() => Promise.all([browser.close(), office.end()]))

/** The address in a message that asks a client of the demo company for consent to marketing. */
async function consentAddress(): Promise<string> {
  const { rows } = await office.query<{ companyId: string; id: string }>(
    `select l."companyId", l."id" from lead l join tenant c on c."companyId" = l."companyId" and c."id" = l."companyId"
    where c."name" = 'Sunrise Credit' and l."deletedAt" is null order by l."id" limit 1`,
  )
  const [lead] = rows
  const token = `${lead?.companyId}.${randomBytes(32).toString('base64url')}`
  await office.query(
    `insert into lead_consent ("companyId", "id", "tenantId", "leadId", "purpose", "mobileNumber", "textVersion", "textHash", "expiresAt", "tokenHash")
    select "companyId", gen_random_uuid(), "tenantId", "id", 'MARKETING', '0700000000', 'marketing-1', $3, now() + interval '7 days', $3
    from lead where "companyId" = $1 and "id" = $2`,
    [lead?.companyId, lead?.id, createHash('sha256').update(token).digest()],
  )
  return `/consent/${token}`
}

function formPage(): string {
  const options = ['Morning', 'Noon'].map((label) => ({ value: label, label }))
  const kinds = ['text', 'longText', 'personName', 'email', 'phone', 'number', 'date', 'boolean', 'choice'] as const
  const fields = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      { kind, label: `Field ${kind}`, required: true, help: 'What is meant', ...(kind === 'choice' ? { options } : {}) },
    ]),
  )
  const answer = pageAnswer({
    status: 422,
    host: 'outpost.test',
    company: 'Sunrise Credit',
    view: {
      title: 'Confirm your appointment',
      facts: { Place: 'Nairobi' },
      form: { fields, buttons: [{ label: 'Confirm', isMain: true }] },
    },
    errors: kinds.map((field) => ({ field, message: 'is required' })),
    problem: 'Please correct what is marked below.',
  })
  return 'text' in answer ? answer.text.text : ''
}

test('a client reads and answers the consent page on a phone, in light and dark, without JavaScript', async () => {
  const address = await consentAddress()
  const person = await openPerson(browser, { url, width: 360, height: 640 })
  const { page } = person
  await page.goto(address)
  const sound = (what: string, heading: string) => ({
    what,
    title: `${heading} · Sunrise Credit`,
    heading,
    violations: [],
    tooWide: [],
    faults: [],
  })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const what = `the question, ${colorScheme}`
    expect(await look(person, what)).toEqual(sound(what, 'Sunrise Credit asks for your consent'))
  }
  // Fields of every kind, with what was wrong in them, as the server writes them.
  await page.setContent(formPage())
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const what = `a form, ${colorScheme}`
    expect(await look(person, what)).toEqual(sound(what, 'Confirm your appointment'))
  }
  await person.context.close()

  // Somebody whose browser runs no script answers; the page that says thank you is looked at by the same rules.
  const plain = await browser.newContext({ baseURL: url, javaScriptEnabled: false, viewport: { width: 360, height: 640 } })
  const form = await plain.newPage()
  await form.goto(address)
  await form.getByRole('button', { name: 'Yes, I agree' }).click()
  await expect.poll(() => form.locator('h1').innerText()).toBe('Thank you. Your consent was recorded.')
  await form.goto(address)
  expect(await form.locator('h1').innerText()).toBe('Thank you. Your consent was recorded.')
  expect(await form.getByRole('button').count()).toBe(0)
  await plain.close()
  const { rows } = await office.query(`select "status" from lead_consent where "tokenHash" = $1`, [
    createHash('sha256').update(address.slice('/consent/'.length)).digest(),
  ])
  expect(rows).toEqual([{ status: 'GRANTED' }])
})
