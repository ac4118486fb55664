import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()

it('who is deactivated leaves open work: it is named, goes to a colleague, and comes back with them', async () => {
  const call = await callAs(url, 'admin@sunrise.test')
  const data = async <Data>(method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    expect(answer.status, answer.text).toBe(200)
    return answer.body['data'] as Data
  }
  const { users } = await data<{ users: { Id: string; tenantId: string; roles: { Id: string }[] }[] }>(
    'GET',
    '/api/users?search=officer@sunrise.test',
  )
  const { tenantId, roles } = users[0]!
  const person = async (firstName: string) =>
    (
      await data<{ user: { Id: string } }>('POST', '/api/users', {
        firstName,
        lastName: 'Wanderer',
        userName: `${firstName.toLowerCase()}.wanderer`,
        emailAddress: `${firstName.toLowerCase()}.wanderer@sunrise.test`,
        tenants: [tenantId],
        tenantId,
        roles: roles.map(({ Id }) => Id),
      })
    ).user.Id
  const [leaver, heir] = [await person('Pascal'), await person('Rehema')]
  const { task } = await data<{ task: { Id: string } }>('POST', '/api/tasks', { title: 'Count the spare keys', assignedUsers: [leaver] })
  const holders = async () =>
    (await data<{ task: { assignedUsers: { Id: string }[] } }>('GET', `/api/tasks/${task.Id}`)).task.assignedUsers.map(({ Id: one }) =>
      one === heir ? 'heir' : one === leaver ? 'leaver' : one,
    )
  expect(await holders()).toEqual(['leaver'])

  const admin = await enter('admin@sunrise.test', '/admin/users/list?search=Pascal+Wanderer')
  const { page } = admin
  await page.locator('.ant-table-row input[type=checkbox]').first().check()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Pascal Wanderer still has 1 open task').waitFor()
  await expectSound(admin, 'the question before a user is deactivated', '.ant-modal')
  // The number opens what it counts, and the question stays.
  const [listed] = await Promise.all([page.context().waitForEvent('page'), dialog.getByRole('link', { name: '1 open task' }).click()])
  await listed.getByText('Count the spare keys').first().waitFor()
  await listed.locator('.ant-table-row').first().waitFor()
  expect(await listed.locator('.ant-table-row').count()).toBe(1)
  await listed.close()
  await dialog.getByLabel('Open work goes to').click()
  await page.keyboard.type('Rehema')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Rehema Wanderer' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(holders).toEqual(['heir'])

  await page.goto('/admin/users/list-deleted?search=Pascal+Wanderer')
  await settle(admin)
  await page.locator('.ant-table-row input[type=checkbox]').first().check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(holders).toEqual(['leaver'])
  await call('DELETE', '/api/users/delete', { userIds: [leaver, heir], leaveWork: true })
  await call('POST', '/api/tasks/delete', { id: task.Id })
})
