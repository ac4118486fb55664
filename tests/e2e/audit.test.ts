import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator asks for a look at the audit chain and reads that it is whole', async () => {
  const person = await enter('admin@sunrise.test', '/admin/audit')
  const { page } = person
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The audit chain is being checked').waitFor()
  const row = page.locator('.record-table .ant-table-row').first()
  await expect
    .poll(
      async () => {
        await page.reload()
        await settle(person)
        return row.count()
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(1)
  expect(await row.innerText()).toMatch(/Yes/)
  await expectSound(person, 'audit')
})
