import { beforeAll, describe, expect, inject, it } from 'vitest'
import { callAs, type Call } from './support/calls.ts'
import { dataOf, leadMaker } from './support/leads.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()
let manager: Call
let officer: Call
const make = leadMaker(() => officer, 799_410_500)

beforeAll(async () => {
  ;[manager, officer] = [await callAs(url, 'branch@sunrise.test'), await callAs(url, 'officer@sunrise.test')]
})

describe('the affordability of a lead', () => {
  it('shows an assessment as it was made', async () => {
    const id = await make({ lastName: 'Assessed' })
    await dataOf(
      officer('POST', `/api/leads/${id}/affordability`, {
        calculator: 'cs-affordability',
        inputs: { basicPay: 60_000, grossPay: 80_000, netPay: 52_000, rate: 2, ratePeriod: 'month', termMonths: 24 },
      }),
    )
    const { page } = await enter('branch@sunrise.test', `/sales/leads/${id}/view?tab=affordability`)
    await page.getByRole('region', { name: 'Affordability' }).getByText('PASS').waitFor()
    await page.getByText(/^Affordability PASS$/).waitFor()
  })
})

describe('cases of a lead', () => {
  it('are a tab that the cases hang there: a new one knows its lead, and all of them are a click away', async () => {
    const id = await make({ firstName: 'Tabitha', lastName: 'Caseholder' })
    const person = await enter('branch@sunrise.test', `/sales/leads/${id}/view?tab=cases`)
    const { page } = person
    await page.getByText('No cases yet').waitFor()
    await page.getByRole('link', { name: 'New case' }).click()
    await page.waitForURL(`**/sales/cases/add?leadId=${id}`)
    await page.getByLabel('Title').fill('Payslip is missing')
    await page.getByText('Tabitha Caseholder').waitFor()
    await page
      .getByRole('button', { name: /^Save|^Create/ })
      .first()
      .click()
    await page.waitForURL('**/sales/cases')
    expect((await dataOf<{ cases: { leadId: string }[] }>(manager('GET', '/api/cases?search=Payslip%20is%20missing'))).cases).toMatchObject(
      [{ leadId: id }],
    )
    await page.goto(`/sales/leads/${id}/view?tab=cases`)
    await page.getByRole('region', { name: 'Cases' }).getByText('Payslip is missing').waitFor()
    await expectSound(person, 'cases')
    await page.getByRole('link', { name: '1 record' }).click()
    await page.getByRole('heading', { name: 'Cases' }).waitFor()
    await settle(person)
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByText('Payslip is missing').first().waitFor()
  })
})

describe('activities of a lead', () => {
  it('are a tab of all days, though a list of them shows this week: a new one knows its lead', async () => {
    const id = await make({ firstName: 'Zawadi', lastName: 'Planner' })
    const person = await enter('branch@sunrise.test', `/sales/leads/${id}/view?tab=activities`)
    const { page } = person
    await page.getByText('No activities yet').waitFor()
    await page.getByRole('link', { name: 'New activity' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Long ago with Zawadi')
    await page.locator('.ant-select-selection-item', { hasText: 'Zawadi Planner' }).or(page.getByText('Zawadi Planner')).first().waitFor()
    await dataOf(
      officer('POST', '/api/activities', {
        name: 'Far off',
        startDate: '2027-11-01T08:00:00Z',
        endDate: '2027-11-01T09:00:00Z',
        leads: [id],
      }),
    )
    await page.goto(`/sales/leads/${id}/view?tab=activities`)
    await page.getByRole('region', { name: 'Activities' }).getByText('Far off').waitFor()
    await expectSound(person, 'activities of a lead')
    await page.getByRole('link', { name: '1 record' }).click()
    await page.getByRole('heading', { name: 'Activities' }).waitFor()
    await settle(person)
    await page.getByText('Far off').first().waitFor()
    await page.getByText('1 record', { exact: true }).waitFor()
  })
})

describe('the leads dashboard', () => {
  it('opens exactly the records that it counts', async () => {
    const person = await enter('branch@sunrise.test', '/sales/leadsdashboard')
    const { page } = person
    await expectSound(person, 'dashboard')
    for (const name of ['Stale', 'With consent', 'Unassigned']) {
      // A lead may become stale between the number and its list: then both are read again.
      const agrees = async () => {
        await page.goto('/sales/leadsdashboard')
        await settle(person)
        const link = page.getByRole('link', { name: new RegExp(`^${name}: `) })
        const figure = (await link.innerText()).trim()
        await link.click()
        await page.waitForURL('**/sales/leads?**')
        const shown = page.getByText(`${figure} records`).first().waitFor({ timeout: 20_000 })
        return shown.then(
          () => true,
          () => false,
        )
      }
      await expect.poll(agrees, { message: name, timeout: 60_000 }).toBe(true)
    }
    await page.goto('/sales/leadsdashboard')
    await settle(person)
    const row = page.locator('.chart-funnel li', { hasText: 'Qualified' })
    const hereNow = await row.locator('.chart-value').innerText()
    await row.getByRole('link').click()
    await page.getByText(`${hereNow} records`).first().waitFor()
  })
})

describe('a decision on credit', () => {
  it('waits on the dashboard of who may make it, and says so on the lead', async () => {
    const director = await callAs(url, 'md@sunrise.test')
    const filter = encodeURIComponent(
      JSON.stringify([
        { field: 'status', op: 'in', value: ['Submitted'] },
        { field: 'isOwnWork', op: 'eq', value: false },
      ]),
    )
    const { leads } = await dataOf<{ leads: { Id: string }[] }>(
      director('GET', `/api/leads?dateType=created&startDate=1980-01-01&endDate=2099-12-31&size=5&filter=${filter}`),
    )
    expect(leads.length).toBeGreaterThan(0)
    const person = await enter('md@sunrise.test', '/')
    const { page } = person
    await page.locator('.widget-number a[href^="/sales/leads"][href*="isOwnWork"]').click()
    await page.waitForURL(/\/sales\/leads\?/)
    await page
      .getByRole('row', { name: /Submitted/ })
      .first()
      .waitFor()
    await page.goto(`/sales/leads/${leads[0]?.Id}/view`)
    await page
      .getByRole('alert')
      .filter({ hasText: /Waits for your decision: Approved, Declined by credit/ })
      .waitFor()
    await expectSound(person, 'waiting')
  })
})
