import pg from 'pg'
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { pushFrom, type Pushed } from './support/device.ts'
import { expectSound } from './support/look.ts'

const url = inject('outpostUrl')
let browser: Browser
let office: pg.Pool
let manager: Person
let officer: Person
let pushed: Pushed

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  pushed = await pushFrom(url, 'officer@sunrise.test')
  manager = await openPerson(browser, { url, width: 1440, height: 900 })
  officer = await openPerson(browser, { url, width: 390, height: 844 })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect([...officer.faults.splice(0), ...manager.faults.splice(0)]).toEqual([]))

describe('what devices sent', () => {
  it('is seen by the office: the device, its state and what became of each change', async () => {
    const { page } = manager
    await signIn(manager, 'branch@sunrise.test')
    await page.goto('/admin/work-devices')
    const device = page.locator('.ant-table-row', { hasText: pushed.deviceId.slice(0, 8) })
    await device.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('link', { name: 'Lead · new · Refused Fieldwork' }).waitFor()
    expect(await page.locator('.ant-table-row').count()).toBe(1)
    await page.goBack()
    await page.getByRole('link', { name: new RegExp(pushed.deviceId.slice(0, 8)) }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('What it sent', { exact: true }).click()
    await page.getByText('Taken Fieldwork').waitFor()
    await page.getByText('Refused', { exact: true }).waitFor()
    await expectSound(manager, 'a device')
    await page.getByText('Changes not placed', { exact: true }).last().click()
    await page.getByRole('link', { name: 'Lead · new · Refused Fieldwork' }).waitFor()
  })

  it('is corrected and carried out where it could not be placed', async () => {
    const { page } = manager
    await page.goto('/admin/dead-letters')
    await page.getByRole('link', { name: 'Lead · new · Refused Fieldwork' }).first().waitFor()
    await expectSound(manager, 'changes not placed')
    await page.getByRole('link', { name: 'Lead · new · Refused Fieldwork' }).first().click()
    await page.getByText('What was sent', { exact: true }).click()
    await page.getByText('12', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Correct and carry out' }).click()
    const dialog = page.getByRole('dialog')
    // The fields of a lead and no others, with what was sent; several at once.
    expect(await dialog.getByLabel('First name').inputValue()).toBe('Refused')
    expect(await dialog.getByLabel('Due').count()).toBe(0)
    await dialog.getByLabel('Phone', { exact: true }).fill('0733 900 417')
    await dialog.getByLabel('Town').fill('Embu')
    await expectSound(manager, 'a change that is corrected')
    await dialog.getByRole('button', { name: 'Correct and carry out' }).click()
    await page.getByText('Carried out').first().waitFor()
    expect(await rows('select "trimmedPhonenumber", "city" from lead where "id" = $1', [pushed.refused])).toEqual([
      { trimmedPhonenumber: '254733900417', city: 'Embu' },
    ])
  })

  it('is decided where both changed a field, all three values side by side', async () => {
    const { page } = manager
    // A second field of it is in dispute: a person and nobody.
    await rows(
      `insert into sync_conflict ("companyId", "id", "tenantId", "changeId", "userId", "entityType", "entityId", "field", "mine")
      select "companyId", gen_random_uuid(), "tenantId", "changeId", "userId", "entityType", "entityId", 'assignedUserId', to_jsonb("userId"::text)
      from sync_conflict where "entityId" = $1`,
      [pushed.disputed],
    )
    await page.goto('/admin/conflicts')
    const person = page.locator('.ant-table-row', { hasText: 'Disputed Fieldwork' }).filter({ hasText: 'Assigned to' })
    await person
      .getByRole('link', { name: /^[A-Z]\w+ [A-Z]\w+/ })
      .nth(1)
      .waitFor()
    expect(await person.textContent()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
    const row = page.locator('.ant-table-row', { hasText: 'Disputed Fieldwork' }).filter({ hasText: 'Town' })
    for (const value of ['Thika', 'Nyeri', 'Kisumu']) await row.getByText(value, { exact: true }).waitFor()
    await expectSound(manager, 'conflicts')
    await row.getByRole('button', { name: 'More' }).or(row.locator('[aria-haspopup]')).first().click()
    await page.getByRole('menuitem', { name: 'Take the device’s' }).click()
    await expect.poll(() => rows('select "city" from lead where "id" = $1', [pushed.disputed])).toEqual([{ city: 'Kisumu' }])
  })

  it('is seen by who sent it, at the width of a phone', async () => {
    const { page } = officer
    await signIn(officer, 'officer@sunrise.test')
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await page.getByRole('link', { name: 'What became of my work' }).click()
    await page.getByRole('heading', { name: 'What became of my work' }).waitFor()
    await page.getByText('Taken Fieldwork').first().waitFor()
    await expectSound(officer, 'what became of my work')
  })

  it('leaves no job behind that failed: an administrator has it tried again, and signs a lost device out', async () => {
    const [job] = await rows(
      `insert into outbox ("companyId", "id", "type", "payload", "status", "attempt", "lastError")
      values ($1, gen_random_uuid(), 'sync.relabel', $2, 'dead', 5, 'the database was away') returning "id"`,
      [demoId('sunrise'), JSON.stringify({ table: 'tenant', id: demoId('sunrise') })],
    )
    const admin = await openPerson(browser, { url, width: 1440, height: 900 })
    await signIn(admin, 'admin@sunrise.test')
    await admin.page.goto('/admin/dead-jobs')
    const row = admin.page.locator('.ant-table-row', { hasText: 'the database was away' })
    await row.getByRole('checkbox').check()
    await expectSound(admin, 'jobs that failed')
    await admin.page.getByRole('button', { name: 'Try again' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await row.waitFor({ state: 'hidden' })
    expect(await rows('select "status" from outbox where "id" = $1', [job?.id])).toEqual([{ status: 'replayed' }])
    await admin.page.goto('/admin/work-devices')
    await admin.page.getByRole('link', { name: new RegExp(pushed.deviceId.slice(0, 8)) }).click()
    await admin.page.getByRole('button', { name: 'More actions' }).click()
    await admin.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await admin.page.getByText('Signed out by the office').waitFor()
    expect(admin.faults).toEqual([])
    await admin.context.close()
  })
})
