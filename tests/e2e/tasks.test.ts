import pg from 'pg'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Assignees } from '@outpost/contract/assigning'
import { demoId } from '../../prisma/seed/random.ts'
import { signIn } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter, meet } = usePeople()
let office: pg.Pool
beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** Changes the status of the task that is open. */
async function moveTo(page: Page, status: string): Promise<void> {
  await page.getByRole('button', { name: 'Change status' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Status').click()
  await page.locator('.ant-select-item-option:visible', { hasText: status }).click()
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
const known = 'Call back about the settlement quote'
const view = (page: Page, name: string) => page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name, exact: true })

it('a leader gives a task, sees it among those of the team and moves it on the board; it is late, and its number opens it', async () => {
  const person = await enter('leader@sunrise.test', '/tasks')
  const { page } = person
  await expectSound(person, 'list of tasks')
  await page.goto('/tasks/add')
  await settle(person)
  const due = page.getByLabel('Due')
  await due.fill('2 Jan 2026 08:00')
  await due.press('Enter')
  await page.getByLabel('Title').fill('Count the receipt books')
  await expectSound(person, 'form of a task')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.waitForURL(/\/tasks\/?(\?|$)/)
  await view(page, 'Mine').click()
  await page.waitForURL(/view=mine/)
  await settle(person)
  await page.getByRole('link', { name: 'Count the receipt books' }).waitFor()
  await view(page, 'My team').click()
  await page.getByRole('link', { name: 'Send the missing payslip to the head office' }).first().waitFor()
  await view(page, 'Overdue').click()
  await settle(person)
  await page.getByRole('link', { name: 'Count the receipt books' }).click()
  await page.getByRole('heading', { name: 'Count the receipt books' }).waitFor()
  await settle(person)
  await expectSound(person, 'a task')
  await moveTo(page, 'In progress')
  await page.locator('main').getByText('In progress', { exact: true }).first().waitFor()
  await page.goto('/tasks?layout=kanban&view=mine')
  await settle(person)
  await page.locator('.board-card', { hasText: 'Count the receipt books' }).first().waitFor()
  await expectSound(person, 'board of tasks')
})

it('tasks are found by the palette, given away together and taken back', async () => {
  const person = await enter('branch@sunrise.test', '/tasks')
  const { page } = person
  const call = await callAs(url, 'branch@sunrise.test')
  const ids: string[] = []
  for (const title of ['Fetch the seal of the group', 'Fetch the keys of the group']) {
    const made = await call('POST', '/api/tasks', { title })
    expect(made.status, made.text).toBe(200)
    ids.push((made.body['data'] as { task: { Id: string } }).task.Id)
  }
  const { agents } = (await call('POST', '/api/tasks/assignees', { ids })).body['data'] as Assignees
  const agent = agents.find(({ Id }) => Id === demoId('sunrise officer'))!
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search...').fill('fetch the seal')
  await page.getByRole('option', { name: /Fetch the seal of the group/ }).click()
  await page.getByRole('heading', { name: 'Fetch the seal of the group' }).waitFor()
  await page.goto(`${url}/tasks?search=fetch%20the`)
  await page.getByRole('link', { name: 'Fetch the keys of the group' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  const line = dialog.getByRole('row').filter({ has: page.getByRole('checkbox', { name: new RegExp(agent.name) }) })
  await line.getByRole('checkbox').check()
  expect((await line.getByRole('cell').allInnerTexts()).slice(1)).toEqual([String(agent.open), String(agent.open + 2)])
  await settle(person)
  await expectSound(person, 'tasks to be given away', '.assign-dialog')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tasks-assign.png` })
  await dialog.getByRole('button', { name: 'Assign 2 records' }).click()
  await page.getByText('Assign: 2 records').waitFor()
  await page.getByRole('button', { name: 'Undo' }).hover()
  const holders = () =>
    rows('select distinct "userId" from task_assignee where "taskId" = any($1::uuid[])', [ids]).then((found) =>
      found.map(({ userId }) => userId),
    )
  expect(await holders()).toEqual([agent.Id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(holders, { timeout: 40_000 }).toEqual([demoId('sunrise branch')])
})

it.each([
  ['light', 1920, 1000],
  ['dark', 360, 740],
] as const)('lists and shows tasks, %s at %i px', async (scheme, width, height) => {
  const person = await enter('officer@sunrise.test', '/tasks?view=mine', { scheme, width, height })
  const { page } = person
  await expectSound(person, 'own tasks')
  await page.getByRole('link', { name: 'Call back about the settlement quote' }).first().click()
  await page.getByRole('heading', { name: 'Call back about the settlement quote' }).waitFor()
  await settle(person)
  await expectSound(person, 'a task about a lead')
})

it('an officer writes a task down without a network and completes another, and the office has both', async () => {
  const officer = await meet({ width: 390, height: 844, hasWorker: true })
  const { page } = officer
  await signIn(officer, 'officer@sunrise.test')
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await expect.poll(() => page.getByRole('dialog').innerText(), { timeout: 40_000 }).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await isKept(page)
  await officer.setOffline(true)
  await page.goto(`${url}/tasks/add`)
  await page.getByRole('heading', { name: 'New task', level: 1 }).waitFor()
  await page.getByLabel('Title').fill('Ask the chief about the stand')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('link', { name: 'Ask the chief about the stand' }).click()
  await page.getByRole('heading', { name: 'Ask the chief about the stand' }).waitFor()
  await expectSound(officer, 'a task that only the device knows')
  // My Work counts it at once, and the number opens as many.
  await page.goto(`${url}/agents/landingpage`)
  const mine = page.getByRole('region', { name: 'My tasks' })
  await mine.getByRole('link', { name: 'Ask the chief about the stand' }).waitFor()
  await settle(officer)
  await expectSound(officer, 'My Work with tasks, without a network')
  if (process.env.SHOTS) await mine.screenshot({ path: `${process.env.SHOTS}/my-tasks.png` })
  const count = mine.getByRole('link', { name: /^All \d+ tasks of mine$/ })
  const counted = Number(await count.innerText())
  await count.click()
  await page.waitForURL(/\/tasks\?view=mine/)
  await page.getByText('kept on this device').waitFor()
  await expect.poll(() => page.locator('main a[href*="/tasks/view/"]').count()).toBe(counted)
  await page.goto(`${url}/tasks?view=mine`)
  await page.getByText('kept on this device').waitFor()
  await page.getByRole('link', { name: known }).first().click()
  await page.getByRole('heading', { name: known }).waitFor()
  await moveTo(page, 'Done')
  await page.locator('main').getByText('Done', { exact: true }).first().waitFor()
  await officer.setOffline(false)
  await expect
    .poll(
      () =>
        rows(`select t."status", a."userId" from task t join task_assignee a on a."taskId" = t."id" where t."title" = $1`, [
          'Ask the chief about the stand',
        ]),
      {
        timeout: 40_000,
        interval: 200,
      },
    )
    .toEqual([{ status: 'Open', userId: demoId('sunrise officer') }])
  const done = () =>
    rows(
      `select t."status" from task t join task_assignee a on a."companyId" = t."companyId" and a."taskId" = t."id" where t."title" = $1 and a."userId" = $2`,
      [known, demoId('sunrise officer')],
    )
  await expect.poll(done, { timeout: 40_000, interval: 200 }).toEqual([{ status: 'Done' }])
})
