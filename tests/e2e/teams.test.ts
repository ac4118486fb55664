import { describe, expect, inject, it } from 'vitest'
import { carry } from '../console/support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()

describe('targets', () => {
  it.each([
    ['light', 1440, 900],
    ['dark', 360, 800],
  ] as const)('are accessible with everything open, %s at %i px', async (scheme, width, height) => {
    const person = await enter('branch@sunrise.test', '/sales/targets', { scheme, width, height })
    const { page } = person
    await expectSound(person, 'board')
    await page.getByRole('region', { name: 'Nairobi Branch, Branch' }).getByRole('button', { name: 'Leads captured' }).click()
    await page
      .getByRole('dialog')
      .getByText(/records make/)
      .waitFor()
    await settle(person)
    await expectSound(person, 'records')
    await page.getByRole('tab', { name: 'Distribute' }).click()
    await page.getByRole('dialog').getByText('Left over').waitFor()
    await settle(person)
    await expectSound(person, 'parts')
    await page.getByRole('tab', { name: 'History' }).click()
    // Nobody has touched a target of the demo since.
    await page.getByRole('dialog').getByRole('region', { name: 'History' }).getByText('Nothing happened yet').waitFor()
    await settle(person)
    await expectSound(person, 'history')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
  })

  it('move on the manager’s screen by what an officer does, and name the record', async () => {
    const officer = await callAs(url, 'officer@sunrise.test')
    const { page } = await enter('leader@sunrise.test', '/sales/targets?owner=team')
    const row = page.getByRole('region', { name: 'Westlands Team, Team' }).getByRole('listitem').filter({ hasText: 'Leads captured' })
    const reached = async () => Number((await row.locator('strong').innerText()).replace(',', ''))
    const before = await reached()
    const made = await officer('POST', '/api/leads', {
      firstName: 'Zawadi',
      lastName: 'Counted',
      phonenumber: `07${String(Date.now()).slice(-8)}`,
    })
    expect(made.status, made.text).toBe(200)
    await page.reload()
    await expect.poll(reached).toBe(before + 1)
    await row.getByRole('button').click()
    await page.getByRole('dialog').getByRole('link', { name: 'Zawadi Counted' }).waitFor()
  })

  it('are set, shared out evenly to the last unit, and taken back', async () => {
    const { page } = await enter('branch@sunrise.test', '/sales/targets/create')
    await page.getByLabel('What counts').fill('Cases res')
    await page.locator('.ant-select-dropdown:visible').getByText('Cases resolved', { exact: true }).click()
    await page.getByLabel('For', { exact: true }).click()
    await page.locator('.ant-select-dropdown:visible').getByText('A team', { exact: true }).click()
    await page.getByLabel('Team', { exact: true }).fill('Westl')
    await page.locator('.ant-select-dropdown:visible').getByText('Westlands Team').click()
    await page.getByLabel('Target', { exact: true }).fill('10')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/sales/targets')
    await page.getByRole('region', { name: 'Westlands Team, Team' }).getByRole('button', { name: 'Cases resolved' }).click()
    await page.getByRole('tab', { name: 'Distribute' }).click()
    await page.getByRole('button', { name: 'Spread it' }).click()
    const shared = () =>
      page.locator('.tg-shares input').evaluateAll((all) => all.reduce((sum, one) => sum + Number((one as HTMLInputElement).value), 0))
    await expect.poll(shared).toBe(10)
    await page.getByRole('button', { name: 'Save parts' }).click()
    await page.getByText('Target distributed').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    const history = page.getByRole('dialog').getByRole('region', { name: 'History' })
    await history.locator('.timeline-entry').filter({ hasText: 'Created' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('tooltip').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Target deleted').waitFor()
  })
})

describe('pipelines', () => {
  it('are put in order by keyboard alone, and saved', async () => {
    const person = await enter('admin@baobab.test', '/admin/sales/pipelines/list')
    const { page } = person
    await expectSound(person, 'pipelines')
    await page.getByRole('button', { name: 'Client care' }).click()
    await expectSound(person, 'editor')
    const names = () =>
      page.getByRole('textbox', { name: /^Name of stage/ }).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    const before = await names()
    await page.getByRole('button', { name: 'Move, New', exact: true }).focus()
    await carry(page, 'Space')
    await carry(page, 'ArrowDown')
    await page.keyboard.press('Space')
    await expect.poll(names).toEqual([before[1], before[0], ...before.slice(2)])
    await page.getByRole('button', { name: 'Up, New' }).click()
    expect(await names()).toEqual(before)
    await page.getByRole('textbox', { name: 'Name of stage 2' }).fill('Working on it')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Pipeline updated successfully').waitFor()
    await page.getByText('Working on it').waitFor()
  })

  it('in use are not deleted: the cases in them are counted', async () => {
    const person = await enter('admin@baobab.test', '/admin/sales/pipelines/list')
    person.allow(/409/, 'a pipeline with cases stays')
    const { page } = person
    await page.getByRole('button', { name: 'Client care' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('tooltip').getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/cases are in Client care/)
      .waitFor()
  })

  it('say which status has no stage', async () => {
    const { page } = await enter('admin@copper.test', '/admin/sales/pipelines/list')
    await page.getByRole('button', { name: 'Client care' }).click()
    await page.getByRole('button', { name: 'Remove, Rejected' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('no stage is for Rejected').waitFor()
  })
})

describe('cases', () => {
  it('are on a board of stages, and have a course', async () => {
    const person = await enter('branch@sunrise.test', '/sales/cases?layout=kanban')
    const { page } = person
    await page.getByText('Waiting for others').first().waitFor()
    await expectSound(person, 'board')
    await page.goto('/sales/cases')
    await settle(person)
    await page.locator('.record-table a').first().click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await settle(person)
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('dialog').getByLabel('Comment').fill('Called the employer')
    await page.getByRole('dialog').getByLabel('Tell').click()
    await page.getByTitle('Grace Kariuki').click()
    await page.keyboard.press('Escape')
    await expectSound(person, 'comment')
    await page.getByRole('dialog').getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Called the employer').waitFor()
    await expectSound(person, 'case')
  })
})
