import type { Locator, Page } from 'playwright'
import { describe, expect, inject, it } from 'vitest'
import { signIn } from '../support/browser.ts'
import { isNightly } from '../support/size.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'
import { everyLead } from './support/paths.ts'

const url = inject('outpostUrl')
const { meet, enter } = usePeople()

describe('the list of leads', () => {
  // What opens is looked at in the dark by tests/console/kinds, too.
  it.each(isNightly ? (['light', 'dark'] as const) : (['light'] as const))(
    'is accessible with everything open that opens, %s',
    async (scheme) => {
      const person = await enter('branch@sunrise.test', everyLead, { scheme })
      const { page } = person
      await rows(page).first().waitFor()
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('form', { name: 'Filter' }).waitFor()
      await expectSound(person, 'filter')
      await page.getByLabel('Condition').click()
      await page.locator('.ant-select-dropdown:visible').waitFor()
      await expectSound(person, 'filter, condition open')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Columns and density' }).click()
      await page.getByRole('dialog', { name: 'Columns and density' }).waitFor()
      await expectSound(person, 'columns')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'View options' }).click()
      await page.getByRole('menuitem', { name: 'Save as…' }).waitFor()
      await expectSound(person, 'view menu')
      await page.getByRole('menuitem', { name: 'Save as…' }).click()
      await page.getByRole('dialog').getByLabel('Name').waitFor()
      await expectSound(person, 'save view')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await checkbox(page, 0).check()
      await page.getByRole('region', { name: 'Selected records' }).waitFor()
      await expectSound(person, 'selection')
      await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await expectSound(person, 'assign')
    },
  )

  it('keeps filter and search in the address, and goes back with the browser', async () => {
    const { page } = await enter('branch@sunrise.test', everyLead)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Value').fill('Conv')
    await option(page, 'Converted').click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('button', { name: /^Change the filter: Status .*Converted/ }).waitFor()
    await expect.poll(() => areAll(page, 'Converted')).toBe(true)
    await page.getByLabel('Search Leads').fill('a')
    await page.waitForURL(/search=a/)
    const address = page.url()
    expect(decodeURIComponent(address)).toContain('Converted')
    await page.reload()
    await page.getByRole('button', { name: /^Change the filter: Status .*Converted/ }).waitFor()
    expect(page.url()).toBe(address)
    // Typing is no step of its own: Back undoes the filter.
    await page.goBack()
    await page.getByRole('button', { name: /^Change the filter/ }).waitFor({ state: 'detached' })
    await page.goForward()
    await page.getByRole('button', { name: /^Change the filter: Status .*Converted/ }).waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL((now) => !now.searchParams.has('filter') && !now.searchParams.has('search'))
  })

  it('remembers a view with its columns and its filter', async () => {
    const { page } = await enter('regional@sunrise.test', everyLead)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Columns and density' }).click()
    await page.getByRole('checkbox', { name: 'Town' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Town' }).waitFor({ state: 'detached' })
    await page.getByLabel('Search Leads').fill('wan')
    await page.waitForURL(/search=wan/)
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Save as…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Without town')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Without town' }).waitFor()
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Town' }).waitFor()
    await page.goto('/sales/leads')
    await page.getByRole('link', { name: 'Without town' }).click()
    await page.getByRole('columnheader', { name: 'Town' }).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Search Leads').inputValue()).toBe('wan')
  })
})

describe('an administrator', () => {
  it('takes permissions into a role by its tree, and the holder may at once', async () => {
    const { page } = await enter('admin@baobab.test', '/admin/roles/list')
    await rows(page).first().waitFor()
    const before = await screensOf('leader@baobab.test')
    expect(before).not.toContain('/admin/roles/list')
    await page
      .getByRole('link', { name: /^Team Leader/ })
      .first()
      .click()
    await page.waitForURL('**/admin/roles/edit/**')
    await page.getByLabel('Search permissions').fill('ADMIN/ROLES')
    await page.getByRole('button', { name: 'All of ADMIN/ROLES' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.waitForURL('**/admin/roles/list')
    expect(await screensOf('leader@baobab.test')).toContain('/admin/roles/list')
  })

  it('sees the tenants as a tree and opens its branches', async () => {
    const person = await enter('admin@sunrise.test', '/admin/tenants/list')
    const { page } = person
    await page.getByText('Nairobi Branch').first().waitFor()
    const shown = await rows(page).count()
    await rows(page).filter({ hasText: 'NBO' }).first().getByRole('button', { name: 'Collapse row' }).click()
    await expect.poll(() => rows(page).count()).toBe(shown - 2)
    await page.getByText('Westlands Team').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open all' }).click()
    await page.getByText('Westlands Team').waitFor()
    await expectSound(person, 'tenant tree')
  })
})

describe('a report', () => {
  it('is opened also when the connection broke while it ran', async () => {
    const person = await meet()
    const { page } = person
    let isCut = false
    // The news of the end is lost, as on a train.
    await page.routeWebSocket('**/api/socket', (socket) => {
      const server = socket.connectToServer()
      server.onMessage((text) => {
        if (isCut || !/reportComplete|csvReportComplete/.test(String(text))) return socket.send(text)
        isCut = true
        void socket.close({ code: 1001 })
      })
    })
    await signIn(person, 'branch@baobab.test')
    await page.goto('/reports/standard/userLoginReport')
    await settle(person)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('CSV Report generated successfully').first().waitFor(),
      page.getByRole('button', { name: 'Generate CSV' }).click(),
    ])
    expect(isCut).toBe(true)
    expect(download.suggestedFilename()).toMatch(/^User Login Report .*\.csv$/)
  })
})

describe('digital onboarding', () => {
  it('goes to the end in six steps, keeps a draft on the way, and makes the lead', async () => {
    const person = await enter('officer@baobab.test', '/sales/leads/digital-onboarding/wizard')
    const { page } = person
    const next = () => page.getByRole('button', { name: 'Next', exact: true }).click()
    await next()
    await page.getByText('Enter the first name.').waitFor()
    await expectSound(person, 'wizard with errors')
    await page.getByLabel('First name').fill('Thandiwe')
    await page.getByLabel('Last name').fill('Mokoena-Radebe')
    await next()
    await page.getByLabel('Phone', { exact: true }).or(page.getByLabel('Phone *')).first().fill('0821239876')
    await next()
    await page.getByLabel('Employer').fill('City of Johannesburg')
    await page.getByLabel('Net income').fill('18500')
    await page.getByText('Draft saved').waitFor()
    await page.reload()
    await page.getByText('Thandiwe').first().waitFor()
    await page.getByRole('button', { name: 'Continue Thandiwe Mokoena-Radebe' }).click()
    await page.getByLabel('Employer').waitFor()
    for (const heading of ['Address', 'Affordability', 'Consent and confirm']) {
      await next()
      await page.getByRole('heading', { name: heading }).waitFor()
      await expectSound(person, `wizard, ${heading}`)
    }
    await page.getByRole('button', { name: 'Send application' }).click()
    await page.waitForURL('**/sales/leads/edit/**')
    const { body } = await (await callAs(url, 'branch@baobab.test'))('GET', '/api/leads?search=Mokoena-Radebe')
    expect(body).toMatchObject({ data: { leads: [{ firstName: 'Thandiwe', lastName: 'Mokoena-Radebe' }] } })
  })
})

const rows = (page: Page): Locator => page.locator('.ant-table-row')
const checkbox = (page: Page, index: number): Locator => rows(page).nth(index).getByRole('checkbox')
const option = (page: Page, name: string): Locator => page.locator('.ant-select-item-option:visible', { hasText: name }).first()
const areAll = async (page: Page, text: string): Promise<boolean> =>
  (await rows(page).filter({ hasText: text }).count()) === (await rows(page).count())

async function screensOf(email: string): Promise<string[]> {
  const { body } = await (await callAs(url, email))('GET', '/api/console')
  return (body as { data: { screens: { path: string; permitted: boolean }[] } }).data.screens
    .filter(({ permitted }) => permitted)
    .map(({ path }) => path)
}
