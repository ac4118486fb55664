import type { Page } from 'playwright'
import { describe, expect, inject, it } from 'vitest'
import type { Assignees } from '@outpost/contract/assigning'
import { callAs, type Call } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()

let phones = 799_510_000
async function make(call: Call, over: object): Promise<string> {
  const { status, text, body } = await call('POST', '/api/leads', {
    firstName: 'Neema',
    lastName: 'Bulk',
    phonenumber: `0${(phones += 1)}`,
    ...over,
  })
  expect(status, text).toBe(200)
  return (body['data'] as { lead: { Id: string } }).lead.Id
}
const leadOf = async (call: Call, id: string) =>
  ((await call('GET', `/api/leads/${id}`)).body['data'] as { lead: Record<string, unknown> }).lead
const rows = (page: Page) => page.locator('.record-table .ant-table-row')
/** A loaded machine takes its time. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const shot = (page: Page, name: string) => (process.env.LOOK ? page.screenshot({ path: `${process.env.LOOK}/${name}.png` }) : undefined)

describe('leads chosen in the list', () => {
  it.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('are given to several people evenly, by name and load, and taken back, %s at %i px', async (scheme, width) => {
    const call = await callAs(url, 'branch@sunrise.test')
    const ids: string[] = []
    for (const firstName of ['Neema', 'Oketch', 'Pendo'])
      ids.push(await make(call, { firstName, lastName: `Bulk${scheme}${width === 360 ? 'phone' : 'desk'}` }))
    const { agents } = (await call('POST', '/api/leads/assignees', { ids })).body['data'] as Assignees
    const [one, two] = agents
      .filter(({ name }) => /Officer|Wanjiku|Kamau/.test(name))
      .concat(agents)
      .slice(0, 2)
    const person = await enter('branch@sunrise.test', `/sales/leads?search=bulk${scheme}${width === 360 ? 'phone' : 'desk'}`, {
      scheme,
      width,
      height: width === 360 ? 780 : 900,
    })
    const { page } = person
    if (width === 360) for (const name of await page.getByRole('checkbox', { name: /^Select / }).all()) await name.check()
    else await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    await dialog.getByText(/Neema .*Oketch .*Pendo|Pendo .*Oketch .*Neema/).waitFor()
    const line = (name: string) => dialog.getByRole('row').filter({ has: page.getByRole('checkbox', { name: new RegExp(name) }) })
    await line(one!.name).getByRole('checkbox').check()
    expect((await line(one!.name).getByRole('cell').allInnerTexts()).slice(1)).toEqual([String(one!.open), String(one!.open + 3)])
    await line(two!.name).getByRole('checkbox').check()
    await dialog.getByText('Shared evenly: 1 or 2 each.').waitFor()
    await settle(person)
    await shot(page, `assign_${scheme}_${width}`)
    await expectSound(person, 'the dialog', '.assign-dialog')
    await dialog.getByRole('button', { name: 'Assign 3 records' }).click()
    await page.getByText('Assign: 3 records').waitFor()
    // It stays under the pointer.
    await page.getByRole('button', { name: 'Undo' }).hover()
    const holders = async () => (await Promise.all(ids.map((id) => leadOf(call, id)))).map(({ assignedUserId }) => assignedUserId)
    expect(new Set(await holders())).toEqual(new Set([one!.Id, two!.Id]))
    // The table says so without being asked again; on a phone its rows are cards.
    if (width === 1440) await page.getByRole('row').filter({ hasText: one!.name }).first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(holders).toEqual([null, null, null])
    expect((await leadOf(call, ids[0]!))['status']).toBe('New')
  })

  it('are named with the reason where they could not be given', async () => {
    const call = await callAs(url, 'branch@sunrise.test')
    const [held, free] = [
      await make(call, { lastName: 'Bulkheld', firstName: 'Rehema' }),
      await make(call, { lastName: 'Bulkheld', firstName: 'Salama' }),
    ]
    const { agents } = (await call('POST', '/api/leads/assignees', { ids: [held] })).body['data'] as Assignees
    const agent = agents[0]!
    await call('POST', '/api/leads/assign-many', { assignments: [{ id: held, userId: agent.Id }] })
    const { page } = await enter('branch@sunrise.test', '/sales/leads?search=bulkheld')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: new RegExp(agent.name) })
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign 2 records' }).click()
    await page.getByText('1 done, 1 refused.').waitFor()
    await page.getByRole('cell', { name: `${agent.name} has this lead already.` }).waitFor()
    expect((await leadOf(call, free))['assignedUserId']).toBe(agent.Id)
  })
})

describe('activities chosen in the list', () => {
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('are given to one by name and load, and taken back, %s at %i px', async (scheme, width) => {
    const call = await callAs(url, 'branch@sunrise.test')
    const word = `Handing${scheme}`
    const from = Date.now() + 3_600_000
    const at = (hours: number) => new Date(from + hours * 3_600_000).toISOString()
    const ids: string[] = []
    for (const name of ['one', 'two']) {
      const { status, text, body } = await call('POST', '/api/activities', { name: `${word} ${name}`, startDate: at(0), endDate: at(1) })
      expect(status, text).toBe(200)
      ids.push((body['data'] as { activity: { Id: string } }).activity.Id)
    }
    const agentsOf = async () =>
      Promise.all(
        ids.map(
          async (id) =>
            ((await call('GET', `/api/activities/${id}`)).body['data'] as { activity: { agentName: string } }).activity.agentName,
        ),
      )
    const before = await agentsOf()
    const { agents } = (await call('POST', '/api/activities/assignees', { ids })).body['data'] as Assignees
    const agent = agents.find(({ name }) => !before.includes(name))!
    const person = await enter('branch@sunrise.test', `/sales/activities?search=${word}`, { scheme, width, height: 900 })
    const { page } = person
    if (width === 390) for (const name of await page.getByRole('checkbox', { name: /^Select / }).all()) await name.check()
    else await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    const line = dialog.getByRole('row').filter({ has: page.getByRole('checkbox', { name: new RegExp(agent.name) }) })
    await line.getByRole('checkbox').press('Space')
    expect((await line.getByRole('cell').allInnerTexts()).slice(1)).toEqual([String(agent.open), String(agent.open + 2)])
    await settle(person)
    await shot(page, `assign_activities_${scheme}_${width}`)
    await expectSound(person, 'the dialog', '.assign-dialog')
    await dialog.getByRole('button', { name: 'Assign 2 records' }).click()
    await page.getByText('Assign: 2 records').waitFor()
    await page.getByRole('button', { name: 'Undo' }).hover()
    expect(await agentsOf()).toEqual([agent.name, agent.name])
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(agentsOf).toEqual(before)
  })
})

describe('a saved view', () => {
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('is shared by name, opens from its address, and is the other’s to copy only, %s at %i px', async (scheme, width) => {
    const [word, name] = [`sharing${scheme}`, `Shared ${scheme}`]
    const giver = await enter('branch@sunrise.test', `/sales/leads?search=${word}`, { scheme, width, height: 900 })
    const more = (page: Page) => page.getByRole('button', { name: 'View options' })
    await more(giver.page).click()
    await giver.page.getByRole('menuitem', { name: 'Share with…' }).click()
    const dialog = giver.page.getByRole('dialog', { name: 'Share the view' })
    await dialog.getByLabel('Name').fill(name)
    const colleagues = dialog.getByRole('combobox', { name: 'Colleagues' })
    await colleagues.fill('Kipchoge')
    const option = giver.page.locator('.ant-select-item-option').filter({ hasText: 'Kipchoge Muthoni' })
    await option.click()
    await colleagues.press('Escape')
    await dialog.locator('.ant-select-selection-item').getByText('Kipchoge Muthoni').waitFor()
    await settle(giver)
    await shot(giver.page, `share_${scheme}_${width}`)
    await expectSound(giver, 'the dialog', '.ant-modal')
    await dialog.getByRole('button', { name: 'Share' }).click()
    await giver.page.getByText('Shared with 1 colleague').waitFor()
    await soon(() => new URL(giver.page.url()).searchParams.get('view')).toMatch(/^[0-9a-f-]{36}$/)
    const address = new URL(giver.page.url())
    const taker = await enter('officer@sunrise.test', `${address.pathname}${address.search}`, { scheme, width, height: 900 })
    const tab = taker.page.getByRole('link', { name: new RegExp(`^${name} shared by `) })
    await tab.waitFor()
    await soon(() => taker.page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe(word)
    await settle(taker)
    await shot(taker.page, `shared_${scheme}_${width}`)
    await expectSound(taker, 'the shared view')
    await more(taker.page).click()
    await taker.page.getByRole('menuitem', { name: 'Remove from my views' }).click()
    await soon(() => tab.count()).toBe(0)
    await taker.page.goto(`${url}${address.pathname}${address.search}`)
    await taker.page.getByText('The view of this address is not shared with you, or it was deleted.').waitFor()
  })
})

describe('the status in a cell', () => {
  /** The keyboard's way from the table to the status of its first row. */
  async function goToStatus(page: Page): Promise<void> {
    await page.locator('.record-table').focus()
    for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowLeft')
    const titles = (await page.getByRole('columnheader').allInnerTexts()).map((title) => title.trim()).filter(Boolean)
    for (let step = 0; step < titles.indexOf('Status'); step += 1) await page.keyboard.press('ArrowRight')
  }

  it.each([['light', 1440]] as const)(
    'goes by keyboard where it legally may, is left by Escape, and comes back by one undo, %s',
    async (scheme, width) => {
      const call = await callAs(url, 'officer@sunrise.test')
      const id = await make(call, { firstName: 'Imara', lastName: `Cell${scheme}` })
      const person = await enter('officer@sunrise.test', `/sales/leads?search=cell${scheme}`, { scheme, width })
      const { page } = person
      await rows(page).first().waitFor()
      await goToStatus(page)
      await page.keyboard.press('Enter')
      const input = page.getByRole('combobox', { name: /^Status, Imara/ })
      await input.waitFor()
      const options = page.locator('.ant-select-item-option')
      await soon(() => options.allInnerTexts()).toEqual([
        'New',
        'Assigned',
        'Contacted',
        'Unqualified',
        'Declined by client',
        'Junk',
        'Dormant',
      ])
      await settle(person)
      await shot(page, `cell_${scheme}_${width}`)
      await expectSound(person, 'the cell open')
      await page.keyboard.press('Escape')
      await input.waitFor({ state: 'detached' })
      expect((await leadOf(call, id))['status']).toBe('New')
      await page.keyboard.press('Enter')
      await input.waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByText(`Imara Cell${scheme}: Contacted`).waitFor()
      await page.getByRole('button', { name: 'Undo' }).hover()
      await soon(async () => (await leadOf(call, id))['status']).toBe('Contacted')
      await page.getByRole('button', { name: 'Undo' }).click()
      await soon(async () => (await leadOf(call, id))['status']).toBe('New')
      await rows(page).first().getByText('New', { exact: true }).waitFor()
      // What asks for a reason asks for it before anything is sent.
      await goToStatus(page)
      await page.keyboard.press('Enter')
      await options.getByText('Junk').click()
      const dialog = page.getByRole('dialog', { name: 'Move to Junk' })
      await dialog.getByRole('button', { name: 'Move to Junk' }).click()
      await dialog.getByText('Reason is required').waitFor()
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('A wrong number')
      await dialog.getByRole('button', { name: 'Move to Junk' }).click()
      await soon(async () => {
        const { status, statusReason } = await leadOf(call, id)
        return [status, statusReason]
      }).toEqual(['Junk', 'A wrong number'])
    },
  )

  it('is kept on the device without a network, undone there without a trace, and sent with the next one', async () => {
    const call = await callAs(url, 'officer@sunrise.test')
    const id = await make(call, { firstName: 'Jioni', lastName: 'Celloffline' })
    const person = await enter('officer@sunrise.test', '/sales/leads?search=celloffline', { hasWorker: true })
    const { page } = person
    await rows(page).first().waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await person.setOffline(true)
    await page.getByRole('button', { name: /^Application is currently offline/ }).waitFor()
    const choose = async (value: string) => {
      await goToStatus(page)
      await page.keyboard.press('Enter')
      await page.locator('.ant-select-item-option').getByText(value, { exact: true }).click()
    }
    await choose('Contacted')
    await rows(page).first().getByText('to be sent').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows(page).first().getByText('to be sent').waitFor({ state: 'detached' })
    await rows(page).first().getByText('New', { exact: true }).waitFor()
    await choose('Assigned')
    await rows(page).first().getByText('to be sent').waitFor()
    expect((await leadOf(call, id))['status']).toBe('New')
    await person.setOffline(false)
    await soon(async () => (await leadOf(call, id))['status']).toBe('Assigned')
    const { statusLog } = (await call('GET', `/api/leads/${id}/status-log`)).body['data'] as { statusLog: { toStatus: string }[] }
    expect(statusLog.map(({ toStatus }) => toStatus)).toEqual(['Assigned'])
    person.faults.splice(0)
  })

  it('goes the same way from the menu of the row and from the record’s own page: what may follow, without a network too', async () => {
    const call = await callAs(url, 'officer@sunrise.test')
    const id = await make(call, { firstName: 'Tamu', lastName: 'Rowoffline' })
    const person = await enter('officer@sunrise.test', '/sales/leads?search=rowoffline', { hasWorker: true })
    const { page } = person
    const log = async () =>
      ((await call('GET', `/api/leads/${id}/status-log`)).body['data'] as { statusLog: { toStatus: string }[] }).statusLog.map(
        ({ toStatus }) => toStatus,
      )
    const options = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    const dialog = page.getByRole('dialog', { name: 'Change status' })
    const choose = async (value: string) => {
      await dialog.getByRole('combobox', { name: 'Status' }).click()
      await options.getByText(value, { exact: true }).click()
    }
    const fromRow = async () => {
      await rows(page).first().getByRole('button', { name: 'Actions for Tamu Rowoffline' }).click()
      await page.getByRole('menuitem', { name: 'Change status' }).click()
    }
    await rows(page).first().waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await person.setOffline(true)
    await page.getByRole('button', { name: /^Application is currently offline/ }).waitFor()
    await fromRow()
    await dialog.getByRole('combobox', { name: 'Status' }).click()
    await soon(() => options.allInnerTexts()).toEqual(['Assigned', 'Contacted', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'])
    await options.getByText('Contacted', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Change status' }).click()
    await rows(page).first().getByText('to be sent').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows(page).first().getByText('to be sent').waitFor({ state: 'detached' })
    await rows(page).first().getByText('New', { exact: true }).waitFor()
    await fromRow()
    await choose('Assigned')
    await dialog.getByRole('button', { name: 'Change status' }).click()
    await rows(page).first().getByText('to be sent').waitFor()
    // On its own page the record is as this device has it.
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/sales/leads/${id}/view`)
    await page.getByRole('heading', { name: 'Tamu Rowoffline', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Change status' }).click()
    await choose('Junk')
    await dialog.getByRole('button', { name: 'Change status' }).click()
    await dialog.getByText('Reason is required').waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A wrong number')
    await dialog.getByRole('button', { name: 'Change status' }).click()
    await page.getByText('Kept on this device until there is a connection.').first().waitFor()
    await page.locator('.form-card').getByText('Junk', { exact: true }).waitFor()
    await shot(page, 'detail_offline')
    expect(await log()).toEqual([])
    await person.setOffline(false)
    // Of what was decided twice before it could be sent, the last counts.
    await soon(log).toEqual(['Junk'])
    await soon(async () => {
      const { status, statusReason } = await leadOf(call, id)
      return [status, statusReason]
    }).toEqual(['Junk', 'A wrong number'])
    person.faults.splice(0)
  })
})
