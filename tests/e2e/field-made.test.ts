import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound } from './support/look.ts'
import { finishRunning, isKept, takePhoto, visitState } from './support/field.ts'
import { takeStep } from './support/planning.ts'

const url = inject('outpostUrl')
const officerId = demoId('sunrise officer')
let browser: Browser
let office: pg.Pool
let officer: Person

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  await finishRunning(office, await callAs(url, 'branch@sunrise.test'))
  officer = await openPerson(browser, { url, width: 390, height: 844, hasWorker: true })
  await officer.context.grantPermissions(['geolocation'], { origin: url })
  await officer.context.setGeolocation({ latitude: -1.2921, longitude: 36.8219, accuracy: 8 })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect(officer.faults.splice(0)).toEqual([]))

describe('work made without a connection', () => {
  const client = 'Zuhura Field'
  const plan = 'Zawadi talk with a new lead'
  let planId = ''
  let known: { id: string; title: string; next: string }
  const question = 'Zawadi asks for a second stall'

  /** Opens a screen of the installed program, as a link or the address would. */
  async function open(page: Page, path: string, heading: string): Promise<void> {
    await page.goto(path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  it('begins with the day on the device', async () => {
    const { page } = officer
    await signIn(officer, 'officer@sunrise.test')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    // The pull of the day is over when the device says when it was.
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    await page.keyboard.press('Escape')
  })

  it('is planned for a lead that only the device knows, with a colleague and at the place of the branch', async () => {
    const { page } = officer
    await open(page, '/agents/landingpage', 'My Work')
    await isKept(page)
    await officer.setOffline(true)
    await open(page, '/sales/leads/create', 'New lead')
    await page.getByLabel('First name').fill('Zuhura')
    await page.getByLabel('Last name').fill('Field')
    await page.getByLabel('Phone', { exact: true }).fill('0712345987')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await open(page, '/sales/activities/create', 'New activity')
    expect(await page.getByLabel('Repeats').count()).toBe(0)
    await page.getByLabel('Name', { exact: true }).fill(plan)
    await page.getByLabel('Leads').click()
    await page.getByLabel('Leads').fill('Zuhura')
    await page.locator('.ant-select-item-option:visible', { hasText: client }).click()
    await page.keyboard.press('Escape')
    await expectSound(officer, 'a new activity without a connection')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('heading', { name: plan }).waitFor()
    // Shortly before midnight the next full hour is tomorrow's, which My Work does not list.
    planId = new URL(page.url()).pathname.split('/').at(-2) ?? ''
    await page.getByText('PENDING').first().waitFor()
    await page.getByText(client).first().waitFor()
    await expectSound(officer, 'an activity that only the device knows')
  })

  it('has a case opened about it, another case is moved on, and the clients are there', async () => {
    const { page } = officer
    ;[known] = (await rows(
      `select c."id", c."title", n."name" as next from sales_case c join pipeline_stage s on s."companyId" = c."companyId" and s."id" = c."stageId"
      join pipeline_stage n on n."companyId" = s."companyId" and n."pipelineId" = s."pipelineId" and n."position" = s."position" + 1
      where c."companyId" = $1 and c."ownerUserId" = $2 and c."deletedAt" is null and s."type" = 'open' order by c."number" limit 1`,
      [demoId('sunrise'), officerId],
    )) as [typeof known]
    await open(page, '/sales/cases/add', 'New case')
    await page.getByLabel('Title').fill(question)
    await page.getByLabel('Lead').click()
    await page.getByLabel('Lead').fill('Zuhura')
    await page.locator('.ant-select-item-option:visible', { hasText: client }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('link', { name: question }).click()
    await page.getByRole('heading', { name: question }).waitFor()
    await page.getByText(client).first().waitFor()
    await expectSound(officer, 'a case that only the device knows')
    await page.goto(`/sales/cases/view/${known.id}`)
    await page.getByRole('heading', { name: known.title }).waitFor()
    await page.getByRole('button', { name: 'Move to stage' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Stage').click()
    await page.locator('.ant-select-item-option:visible', { hasText: known.next }).click()
    await dialog.getByRole('button', { name: 'Move to stage' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(known.next, { exact: true }).first().waitFor()
    await page.goto('/clients/list')
    await page.getByText('kept on this device').waitFor()
    await page.locator('.record-card a, .ant-table-row a').first().click()
    await page.getByRole('heading', { name: 'Around the client' }).waitFor()
  })

  it('is done and changed before the office knows of it, and all is still there after a restart', async () => {
    const { page } = officer
    await page.goto(`/sales/activities/${planId}/visit`)
    await page.locator('.av h1', { hasText: plan }).waitFor()
    await page.getByRole('link', { name: /0712345987/ }).waitFor()
    await takeStep(page, 'Start visit')
    await soon(() => visitState(page)).toBe('In progress')
    await takePhoto(page)
    await takeStep(page, 'Complete', 'Wants a loan for stock')
    await soon(() => visitState(page)).toBe('Done')
    await page.reload()
    await page.locator('.av h1', { hasText: plan }).waitFor()
    expect(await visitState(page)).toBe('Done')
    expect(await rows('select from activity where "name" = $1', [plan])).toEqual([])
  })

  it('arrives once: the lead, the activity of that lead, the visit and its photo', async () => {
    await officer.setOffline(false)
    const found = () =>
      rows(
        `select v."id", v."location", s."meaning", l."firstName", (select count(*)::int from activity_file f where f."activityId" = v."id") as photos
        from activity v join activity_assignment a on a."activityId" = v."id" and a."userId" = $2
        join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId"
        join activity_lead x on x."activityId" = v."id" join lead l on l."companyId" = x."companyId" and l."id" = x."leadId" where v."name" = $1`,
        [plan, officerId],
      )
    await soon(found).toMatchObject([{ meaning: 'done', firstName: 'Zuhura', photos: 1, location: expect.stringMatching(/\w/) as string }])
    expect(await rows('select count(*)::int from lead where "lastName" = $1', ['Field'])).toEqual([{ count: 1 }])
    await soon(() =>
      rows(
        `select l."firstName", s."name" as stage, c."number" > 0 as "isNumbered" from sales_case c join lead l on l."companyId" = c."companyId" and l."id" = c."leadId"
        join pipeline_stage s on s."companyId" = c."companyId" and s."id" = c."stageId" where c."title" = $1`,
        [question],
      ),
    ).toEqual([{ firstName: 'Zuhura', stage: 'New', isNumbered: true }])
    await soon(() =>
      rows(
        `select s."name" as stage, m."userId" from sales_case c join pipeline_stage s on s."companyId" = c."companyId" and s."id" = c."stageId"
        join record_move m on m."objectId" = c."id" and m."to" = s."name" where c."id" = $1`,
        [known.id],
      ),
    ).toEqual([{ stage: known.next, userId: officerId }])
  })

  it('meets the office, which took the same person in meanwhile: what waited is about that one then', async () => {
    const { page } = officer
    await officer.setOffline(true)
    await open(page, '/sales/leads/create', 'New lead')
    await page.getByLabel('First name').fill('Zena')
    await page.getByLabel('Last name').fill('Twice')
    await page.getByLabel('Phone', { exact: true }).fill('0712345988')
    await page.getByLabel('Town').fill('Thika')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await open(page, '/sales/cases/add', 'New case')
    await page.getByLabel('Title').fill('Zena asks for terms')
    await page.getByLabel('Lead').click()
    await page.getByLabel('Lead').fill('Zena')
    await page.locator('.ant-select-item-option:visible', { hasText: 'Zena Twice' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('link', { name: 'Zena asks for terms' }).waitFor()
    const manage = await callAs(url, 'officer@sunrise.test')
    const made = await manage('POST', '/api/leads', { firstName: 'Zena', lastName: 'Once', phonenumber: '0712345988' })
    const existing = (made.body.data as { lead: { Id: string } }).lead.Id
    await officer.setOffline(false)
    await soon(() =>
      rows('select from sync_dead_letter where "envelope" #>> $1 = $2', [['snapshot', 'lastName'], 'Twice']).then((found) => found.length),
    ).toBe(1)
    await open(page, '/offline/attention', 'Needs attention')
    await page.getByText('1 more change waits for this one: Case “Zena asks for terms”').waitFor()
    await expectSound(officer, 'a refused lead for which a case waits')
    await page.getByRole('button', { name: 'Add my values to it' }).click()
    await soon(() =>
      rows(
        'select l."id", l."city" from sales_case c join lead l on l."companyId" = c."companyId" and l."id" = c."leadId" where c."title" = $1',
        ['Zena asks for terms'],
      ),
    ).toEqual([{ id: existing, city: 'Thika' }])
    await page.getByText('All clear').waitFor()
  })
})
