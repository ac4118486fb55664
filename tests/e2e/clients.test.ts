import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { isKept } from './support/field.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('a client is captured with next of kin and a paper, joins a group, is found in the phone book and deactivated with a reason', async () => {
  const person = await enter('leader@sunrise.test', '/clients/create')
  const { page } = person
  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
  }
  const choose = async (text: string) => page.locator('.ant-select-item-option:visible', { hasText: text }).first().click()
  await page.getByLabel('First name').fill('Wairimu')
  await page.getByLabel('Last name').fill('Gachanja')
  await page.getByLabel('Phone', { exact: true }).fill('0745111222')
  const kin = page.getByRole('group', { name: 'Next of kin and guarantors' })
  await kin.getByRole('button', { name: 'Add line' }).click()
  await kin.getByLabel('Name, line 1').fill('Peter Gachanja')
  await kin.getByLabel('Relationship, line 1').click()
  await choose('Spouse')
  const papers = page.getByRole('group', { name: 'Documents' })
  await papers.getByRole('button', { name: 'Add line' }).click()
  await papers.getByLabel('Kind, line 1').click()
  await choose('Passport')
  await papers.getByLabel('Expires, line 1').fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10))
  await page.keyboard.press('Tab')
  await expectSound(person, 'form of a client')
  await shot('client-form')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('link', { name: 'Wairimu Gachanja' }).first().click()
  await page.getByRole('heading', { name: 'Wairimu Gachanja', level: 1 }).waitFor()
  await settle(person)
  await page.getByText('Expires soon').first().waitFor()
  await page.getByText('Peter Gachanja').waitFor()
  await expectSound(person, 'a client')
  await shot('client-detail')
  const address = new URL(page.url()).pathname

  await page.goto('/clients/groups/create')
  await settle(person)
  await page.getByLabel('Name', { exact: true }).fill('Umoja women')
  await page.getByLabel('Fewest members').fill('2')
  const members = page.getByRole('group', { name: 'Members' })
  await members.getByRole('button', { name: 'Add line' }).click()
  await members.getByLabel('Client, line 1').fill('Wairimu')
  await choose('Wairimu Gachanja')
  await members.getByLabel('Role, line 1').click()
  await choose('Chair')
  await expectSound(person, 'form of a group')
  await shot('group-form')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('link', { name: 'Umoja women' }).first().click()
  await page.getByRole('heading', { name: 'Umoja women', level: 1 }).waitFor()
  await settle(person)
  await page.getByRole('link', { name: 'Wairimu Gachanja' }).waitFor()
  await shot('group-detail')
  await expectSound(person, 'a group')

  await page.goto('/clients/phone-book')
  await settle(person)
  await page.getByPlaceholder('Search this list').fill('Wairimu')
  await page.getByRole('row', { name: /Wairimu Gachanja/ }).waitFor()
  await settle(person)
  await shot('phone-book')
  await expectSound(person, 'the phone book')
  await page.evaluate(() => {
    window.open = (to) => {
      document.title = `opened ${String(to)}`
      return null
    }
  })
  await page
    .getByRole('row', { name: /Wairimu Gachanja/ })
    .getByRole('button')
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Call' }).click()
  await soon(() => page.title()).toBe('opened tel:0745111222')

  await page.goto(address)
  await settle(person)
  await page.getByRole('button', { name: 'Deactivate', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Moved to another country')
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Inactive').first().waitFor()
  await page.goto('/clients/grid')
  await settle(person)
  await shot('clients-grid')
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'clients as cards on a phone')
  await page.goto(`${address}?tab=exposure`)
  await settle(person)
  await shot('client-phone')
  await expectSound(person, 'ties of a client on a phone')
})

it('two clients of one person are chosen in the list, merged side by side, and parted again on the page of the one that stayed', async () => {
  const person = await enter('branch@sunrise.test', '/clients/list?q=Mergeable')
  const { page } = person
  const officer = await callAs(inject('outpostUrl'), 'officer@sunrise.test')
  const save = async (phonenumber: string, over: object) => {
    const saved = await officer('POST', '/api/clients', { firstName: 'Tausi', lastName: 'Mergeable', phonenumber, ...over })
    expect(saved.status, saved.text).toBe(200)
    return (saved.body as { data: { client: { Id: string } } }).data.client.Id
  }
  const stays = await save('0745666001', { city: 'Thika' })
  const goes = await save('0745666002', { city: 'Thika', emailAddress: 'tausi@mergeable.example', employer: 'County' })
  await page.reload()
  await settle(person)
  const choose = page.getByRole('region', { name: 'Selected records' })
  const boxes = page.getByRole('row', { name: /Mergeable/ }).getByRole('checkbox')
  await boxes.first().check()
  expect(await choose.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true)
  await boxes.nth(1).check()
  await choose.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.waitForURL(/clients\/merge\//)

  await page.goto(`/clients/${stays}/view?tab=duplicates`)
  await settle(person)
  await page.getByRole('region', { name: 'Duplicates' }).getByRole('link', { name: 'Tausi Mergeable' }).first().click()
  await page.waitForURL(`**/clients/merge/${stays}/${goes}`)
  await page.getByRole('heading', { name: 'Merge clients' }).waitFor()
  await settle(person)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/client-merge.png`, fullPage: true })
  await expectSound(person, 'merge of clients')
  expect(await page.getByRole('group', { name: 'E-mail' }).getByRole('radio', { name: 'tausi@mergeable.example' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
  await page.waitForURL(`**/clients/${stays}/view`)
  await page.getByText('tausi@mergeable.example').first().waitFor()
  expect(await rows('select 1 from client where id = $1 and "deletedAt" is null', [goes])).toEqual([])
  await page.goto(`/clients/${stays}/view?tab=merges`)
  await settle(person)
  const merges = page.getByRole('region', { name: 'Merged' })
  await merges.getByText('Can be undone').waitFor()
  await merges.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Undo the merge' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the merge' }).click()
  await merges.getByText('Undone', { exact: true }).first().waitFor()
  expect(
    await rows('select "emailAddress" as mail from client where id = any($1) and "deletedAt" is null order by 1', [[stays, goes]]),
  ).toEqual([{ mail: 'tausi@mergeable.example' }, { mail: null }])
})

it('a client captured on a phone without a connection arrives once', async () => {
  const person = await enter('officer@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  // The pull of the day is over when the device says when it was.
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await isKept(page)
  await person.setOffline(true)
  await page.goto('/clients/create')
  await page.getByRole('heading', { name: 'New client', level: 1 }).waitFor()
  await page.getByLabel('First name').fill('Zainabu')
  await page.getByLabel('Last name').fill('Offgrid')
  await page.getByLabel('Phone', { exact: true }).fill('0745333444')
  const kin = page.getByRole('group', { name: 'Next of kin and guarantors' })
  await kin.getByRole('button', { name: 'Add line' }).click()
  await kin.getByLabel('Name, line 1').fill('Ali Offgrid')
  await kin.getByLabel('Relationship, line 1').click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Parent' }).click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
  expect(await rows('select 1 from client where "lastName" = $1', ['Offgrid'])).toEqual([])
  await person.setOffline(false)
  await soon(() =>
    rows('select c."firstName", k."name" from client c join client_kin k on k."clientId" = c."id" where c."lastName" = $1', ['Offgrid']),
  ).toEqual([{ firstName: 'Zainabu', name: 'Ali Offgrid' }])
  await page.goto('/clients/list')
  await page.getByText('Zainabu Offgrid').first().waitFor()
})
