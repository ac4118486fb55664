import pg from 'pg'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { pngOf } from '../support/picture.ts'
import { callAs } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async <Row extends object>(text: string, ...values: unknown[]) => (await office.query<Row>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('a form is filled in without a network about a lead that nobody has yet, sent later, and kept under its version', async () => {
  const admin = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  const pages = [
    { key: 'stall', title: 'The stall', questions: [{ key: 'tables', kind: 'number', label: 'Tables', required: true, max: 20 }] },
  ]
  const made = await admin('POST', '/api/web-forms', { name: 'Stall count', about: 'lead', pages })
  expect(made.status, made.text).toBe(200)
  const formId = (made.body.data as { webForm: { Id: string } }).webForm.Id
  expect((await admin('POST', `/api/web-forms/${formId}/publish`, {})).status).toBe(200)

  const person = await enter('officer@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await isKept(page)
  await person.setOffline(true)

  await page.goto('/sales/leads/create')
  await page.getByLabel('First name').fill('Zuri')
  await page.getByLabel('Last name').fill('Stallholder')
  await page.getByLabel('Phone', { exact: true }).fill('0712777401')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
  await page.goto('/forms')
  await page.getByRole('link', { name: 'Stall count v1' }).click()
  await page.getByRole('heading', { name: 'Stall count', level: 1 }).waitFor()
  await settle(person)
  await expectSound(person, 'a form on a phone without a network')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-offline.png`, fullPage: true })
  await page.getByLabel('Lead', { exact: true }).click()
  await page.getByLabel('Lead', { exact: true }).fill('Zuri')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Zuri Stallholder' }).first().click()
  // The phone checks as the office will.
  await page.getByLabel('Tables').fill('21')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Tables may not be over 20').waitFor()
  await page.getByLabel('Tables').fill('7')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Saved on this device').first().waitFor()
  await page.getByRole('heading', { name: 'Filled forms', level: 1 }).waitFor()
  await page.getByText('Stall count').first().waitFor()
  await page.getByText('to be sent').first().waitFor()
  const answers = () =>
    rows(
      `select a."answers", v."number", l."firstName" from web_form_answer a join web_form_version v on v."companyId" = a."companyId" and v."id" = a."formVersionId"
        left join lead l on l."companyId" = a."companyId" and l."id" = a."leadId" where a."formId" = $1`,
      formId,
    )
  expect(await answers()).toEqual([])

  // Meanwhile the office asks for something else, and then for nothing at all.
  const next = [{ ...pages[0], questions: [{ key: 'roof', kind: 'boolean', label: 'Has it a roof?', required: true }] }]
  expect((await admin('PUT', `/api/web-forms/${formId}`, { pages: next })).status).toBe(200)
  expect((await admin('POST', `/api/web-forms/${formId}/publish`, {})).status).toBe(200)
  expect((await admin('POST', `/api/web-forms/${formId}/move`, { move: 'archive' })).status).toBe(200)
  await person.setOffline(false)
  await soon(answers).toEqual([{ answers: { tables: 7 }, number: 1, firstName: 'Zuri' }])
  await page.reload()
  await page.getByText('Tables: 7').first().waitFor()
  await settle(person)
  await expectSound(person, 'a form that came from a phone')
})

/** Bytes of the one draft on this device. */
const draftSize = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        const opening = indexedDB.open('keyval-store')
        opening.onsuccess = () => {
          const place = opening.result.transaction('keyval').objectStore('keyval')
          const [keys, rows] = [place.getAllKeys(), place.getAll()]
          place.transaction.oncomplete = () => {
            opening.result.close()
            const at = keys.result.findIndex((key) => /^outpost\.draft:(?!.*:file:)/.test(String(key)))
            done(at < 0 ? 0 : (rows.result[at] as { body: ArrayBuffer }).body.byteLength)
          }
        }
      }),
  )

/** Draws a stroke on the sheet of a signature, as a finger does. */
async function sign(page: Page): Promise<void> {
  const sheet = page.getByRole('img', { name: /^Signature of the owner: sign here/ })
  await sheet.scrollIntoViewIfNeeded()
  const box = await sheet.boundingBox()
  if (!box) throw new Error('there is no sheet')
  await page.mouse.move(box.x + 40, box.y + 90)
  await page.mouse.down()
  for (let at = 0; at < 12; at += 1) await page.mouse.move(box.x + 40 + at * 14, box.y + 90 + (at % 2 === 0 ? -30 : 30), { steps: 3 })
  await page.mouse.up()
}

it('a form with photo, paper and signature is filled in without a network, survives a restart, is refused, mended on the phone and sent with its files', async () => {
  const admin = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  const pages = [
    {
      key: 'stall',
      title: 'The stall',
      questions: [
        { key: 'tables', kind: 'number', label: 'Tables', required: true, max: 20 },
        { key: 'front', kind: 'photo', label: 'The front', required: true, max: 2 },
        { key: 'paper', kind: 'file', label: 'Licence' },
        { key: 'signed', kind: 'signature', label: 'Signature of the owner', required: true },
      ],
    },
  ]
  const made = await admin('POST', '/api/web-forms', { name: 'Signed stall', about: 'nothing', pages })
  expect(made.status, made.text).toBe(200)
  const formId = (made.body.data as { webForm: { Id: string } }).webForm.Id
  expect((await admin('POST', `/api/web-forms/${formId}/publish`, {})).status).toBe(200)
  const person = await enter('leader@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await isKept(page)
  await person.setOffline(true)
  await page.goto('/forms')
  await page.getByRole('link', { name: 'Signed stall v1' }).click()
  await page.getByRole('heading', { name: 'Signed stall', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('The front is required').first().waitFor()
  await page.getByLabel('Tables').fill('7')
  await page.getByLabel('The front').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: pngOf(2_000, 400) })
  await page.locator('.wf-file img').waitFor()
  await page.getByLabel('Licence').setInputFiles({ name: 'virus.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
  await page.getByText('Files of this kind are not stored').waitFor()
  await page.getByLabel('Licence').setInputFiles({ name: 'licence.txt', mimeType: 'text/plain', buffer: Buffer.from('Stall 7') })
  await page.getByText('licence.txt').waitFor()
  await sign(page)
  await page.getByRole('button', { name: 'Sign anew' }).and(page.locator(':enabled')).waitFor()
  await settle(person)
  await expectSound(person, 'a form with files on a phone')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-files.png`, fullPage: true })
  // The draft with its three files, and these, are there after the program was closed.
  await soon(() => draftSize(page)).toBeGreaterThan(350)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.locator('.wf-file img').waitFor()
  await page.locator('.wf-sheet img').waitFor()
  expect(await page.getByLabel('Tables').inputValue()).toBe('7')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Saved on this device').first().waitFor()

  // Meanwhile the office finds the version wrong: what comes under it is refused, as by a rule that the phone did not know.
  const versions = await rows<{ id: string }>('select "id" from web_form_version where "formId" = $1', formId)
  const setLargest = (max: number) =>
    office.query(`update web_form_version set "pages" = jsonb_set("pages", '{0,questions,0,max}', $2::jsonb) where "id" = $1`, [
      versions[0]?.id,
      String(max),
    ])
  await setLargest(5)
  await person.setOffline(false)
  await page.goto('/offline/attention')
  await page.getByText('“Tables” may not be over 5').first().waitFor({ timeout: 40_000 })
  await page.getByText('Held with the form it belongs to').first().waitFor()
  await settle(person)
  await expectSound(person, 'a form that was refused')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-refused.png`, fullPage: true })
  await page.getByRole('link', { name: 'Open and correct' }).click()
  await page.getByRole('heading', { name: 'Signed stall', level: 1 }).waitFor()
  await page.getByText('The office did not take this form. Mend it and send it again.').waitFor()
  await page.locator('.wf-file img').waitFor()
  await page.locator('.wf-sheet img').waitFor()
  await page.locator('.ant-form-item-has-error', { hasText: 'Tables' }).waitFor()
  await settle(person)
  await expectSound(person, 'a form that is mended')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-mended.png`, fullPage: true })
  await page.getByLabel('Tables').fill('4')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Saved on this device').first().waitFor()
  const stored = () =>
    rows(
      `select a."answers" ->> 'tables' as tables, (select count(*)::int from web_form_answer_file f where f."answerId" = a."id") as files,
        (select array_agg(s."mimeType" order by s."mimeType") from stored_file s where s."ownerId" = a."id") as types
       from web_form_answer a where a."formId" = $1`,
      formId,
    )
  await soon(stored).toEqual([{ tables: '4', files: 3, types: ['image/jpeg', 'image/png', 'text/plain; charset=utf-8'] }])
  await page.goto('/offline/attention')
  await page.getByText('All clear').waitFor()
  const [answer] = await rows<{ id: string }>('select "id" from web_form_answer where "formId" = $1', formId)
  await page.goto(`/forms/answers/view/${answer?.id}?tab=questions`)
  await page.locator('img.field-image').first().waitFor()
  await page.getByText('licence.txt').first().waitFor()
  await settle(person)
  await expectSound(person, 'a filled form with files')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-answers.png`, fullPage: true })
})
