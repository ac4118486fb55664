import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('a joint loan is opened on the page of its group of eight: each member has a share, to the cent', async () => {
  const admin = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  const members = await rows(
    `select c.id as "clientId" from client c where c."companyId" = $1 and c."deletedAt" is null and c.status = 'Active'
       and not exists (select from client_group_member m where m."companyId" = c."companyId" and m."clientId" = c.id) order by c.id limit 8`,
    demoId('sunrise'),
  )
  const made = await admin('POST', '/api/client-groups', {
    name: 'Tujenge pamoja',
    minMembers: 8,
    members: members.map((one, place) => ({ ...one, role: place === 0 ? 'Chair' : 'Member' })),
  })
  expect(made.status, made.text).toBe(200)
  const { Id } = (made.body as { data: { clientGroup: { Id: string } } }).data.clientGroup
  expect((await admin('POST', `/api/client-groups/${Id}/move`, { move: 'activate' })).status).toBe(200)

  const person = await enter('admin@sunrise.test', `/clients/groups/details/${Id}`)
  const { page } = person
  await page.getByRole('button', { name: 'Open a joint loan' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount for all members').fill('10001')
  await dialog.getByLabel('Rate a year (%)').fill('24')
  await dialog.getByLabel('Instalments').fill('10')
  await expectSound(person, 'the dialog of a joint loan', '[role=dialog]')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/joint-loan.png` })
  await dialog.getByRole('button', { name: 'Open a joint loan' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('main').getByText('Joint loans', { exact: true }).first().click()
  for (const share of ['1,250.13', '1,250.12'])
    await page
      .getByRole('cell', { name: `KES ${share}` })
      .first()
      .waitFor()
  expect(await page.getByRole('link', { name: /^L-\d{6}$/ }).count()).toBe(8)
  await settle(person)
  await expectSound(person, 'the joint loans of a group')
  expect(
    (await rows('select principal::text from loan where "groupId" = $1 order by principal desc', Id)).map((one) => one['principal']),
  ).toEqual([...Array<string>(4).fill('1250.13'), ...Array<string>(4).fill('1250.12')])

  // While the payouts wait it is refused in words, and a group that only forms offers none.
  await page.getByRole('button', { name: 'Open a joint loan' }).click()
  await dialog.getByLabel('Amount for all members').fill('500')
  await dialog.getByLabel('Rate a year (%)').fill('24')
  await dialog.getByLabel('Instalments').fill('3')
  await dialog.getByRole('button', { name: 'Open a joint loan' }).click()
  await dialog.getByText('8 loans of this group still wait for their payout').waitFor()
  expect(person.faults.splice(0).every((fault) => fault.includes('409'))).toBe(true)
})
