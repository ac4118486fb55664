import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { choose, pickToday } from './support/moves.ts'
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

it('the sheet of a group of eight is filled in without a connection, sent later, and its money is booked once', async () => {
  const colleague = await callAs(inject('outpostUrl'), 'leader@sunrise.test')
  const terms = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Active' }]))
  const found = (await colleague('GET', `/api/loans?size=100&filter=${terms}`)).body as { data: { loans: { clientId: string }[] } }
  // Nobody is in two groups.
  const taken = new Set((await rows<{ clientId: string }>('select "clientId" from client_group_member')).map(({ clientId }) => clientId))
  const members = [...new Set(found.data.loans.map(({ clientId }) => clientId))]
    .filter((clientId) => !taken.has(clientId))
    .slice(0, 8)
    .map((clientId) => ({ clientId, role: 'Member' }))
  expect(members).toHaveLength(8)
  const group = await colleague('POST', '/api/client-groups', { name: 'Field sheet', minMembers: 8, members })
  expect(group.status, group.text).toBe(200)
  // A day that no other sheet of the demo is for.
  const made = await colleague('POST', '/api/collection-sheets', {
    groupId: (group.body as { data: { clientGroup: { Id: string } } }).data.clientGroup.Id,
    meetingOn: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10),
  })
  expect(made.status, made.text).toBe(200)
  const { Id } = (made.body as { data: { collectionSheet: { Id: string } } }).data.collectionSheet

  const person = await enter('leader@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  // The pull of the day is over when the device says when it was.
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await isKept(page)
  await person.setOffline(true)
  await page.goto(`/clients/groups/collection-sheets/${Id}/edit`)
  const lines = page.getByRole('group', { name: 'Members' })
  await lines.waitFor()
  await settle(person)
  await expectSound(person, 'a sheet on a phone without a connection')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sheet-offline.png`, fullPage: true })
  const boxes = lines.getByLabel(/^Received, line \d+$/)
  const count = await boxes.count()
  expect(count).toBeGreaterThanOrEqual(8)
  const amounts = Array.from({ length: count }, (_, line) => `${70 + line}.50`)
  for (const [line, amount] of amounts.entries()) await boxes.nth(line).fill(amount)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
  const received = () =>
    rows<{ received: string }>(`select sum("received")::text as received from collection_line where "sheetId" = $1`, Id)
  expect(await received()).toEqual([{ received: '0.00' }])

  await person.setOffline(false)
  const total = amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(2)
  await soon(received).toEqual([{ received: total }])
  await page.goto(`/clients/groups/collection-sheets/${Id}/view`)
  await settle(person)
  await page.getByText('70.50').first().waitFor()
  await page.getByRole('button', { name: 'Post', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Post' }).click()
  await soon(() => rows(`select "status" from collection_sheet where "id" = $1`, Id)).toEqual([{ status: 'Posted' }])
  // Somebody in the office presses the same button, more than once.
  const others = await Promise.all(Array.from({ length: 4 }, () => colleague('POST', `/api/collection-sheets/${Id}/post`, {})))
  expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409])
  const payments = `select p."amount"::text as amount, p."status" from payment p join collection_line x on x."companyId" = p."companyId" and x."id" = p."id" where x."sheetId" = $1 order by p."amount"`
  expect(await rows(payments, Id)).toEqual(amounts.map((amount) => ({ amount, status: 'Posted' })))
})

it('a sheet is begun without a connection: its members are there to be filled in, and the office adds what is due of them', async () => {
  const leader = await callAs(inject('outpostUrl'), 'leader@sunrise.test')
  const terms = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Active' }]))
  const found = (await leader('GET', `/api/loans?size=100&filter=${terms}`)).body as { data: { loans: { clientId: string }[] } }
  const free = [...new Set(found.data.loans.map(({ clientId }) => clientId))].slice(-40)
  const taken = await rows<{ id: string }>(`select "clientId" as id from client_group_member where "clientId" = any($1)`, free)
  const members = free
    .filter((id) => !taken.some((one) => one.id === id))
    .slice(0, 2)
    .map((clientId) => ({ clientId, role: 'Member' }))
  const made = await leader('POST', '/api/client-groups', { name: 'Begun away', minMembers: 2, members })
  expect(made.status, made.text).toBe(200)
  const groupId = (made.body as { data: { clientGroup: { Id: string } } }).data.clientGroup.Id

  const person = await enter('leader@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await isKept(page)
  await person.setOffline(true)
  await page.goto('/clients/groups/collection-sheets/create')
  await page.getByText('Without a connection the members alone come').waitFor()
  await choose(page, 'Group', 'Begun away')
  await pickToday(page, 'Meeting')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
  await page.goto('/clients/groups/collection-sheets')
  // The newest is the first; its number is the office's to give.
  await page.getByText('Begun away').first().waitFor()
  const link = page.locator('a[href*="/collection-sheets/"][href*="/view"]').first()
  await page.goto(((await link.getAttribute('href')) ?? '').replace(/\/view.*$/, '/edit'))
  const boxes = page.getByRole('group', { name: 'Members' }).getByLabel(/^Received, line \d+$/)
  await boxes.nth(1).fill('12.50')
  expect(await boxes.count()).toBe(2)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()

  await person.setOffline(false)
  const lines = () =>
    rows(
      `select x."clientId", x."received"::text as received, x."loanId" is not null as "hasLoan" from collection_line x join collection_sheet s on s.id = x."sheetId"
       where s."groupId" = $1 and x."clientId" = $2 order by x."position" limit 1`,
      groupId,
      members[1]?.clientId,
    )
  await soon(lines).toEqual([{ clientId: members[1]?.clientId, received: '12.50', hasLoan: true }])
})
