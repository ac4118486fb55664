import { describe, expect, it } from 'vitest'
import { waysAt } from '../support/size.ts'
import { goAway, rulesIn, tooWide } from './support/browser.ts'
import { lead, rows, violations, useLeads } from './support/leads.ts'

const open = useLeads()

describe('every kind of view', () => {
  const paths = [
    '/sales/leads',
    '/sales/leads/create',
    `/sales/leads/edit/${lead(3)}`,
    `/sales/leads/${lead(3)}/view`,
    '/sales/leadsdashboard',
    '/reports/standard/salesAgentReport',
    '/admin/tenants/list',
    '/admin/roles/add',
    '/sales/calculators/cs-affordability',
  ]
  it.each(waysAt(1280, 320))('has no accessibility violation, $scheme at $width px, and reflows', async (way) => {
    const { page } = await open('/sales/leads', { ...way, height: 740 })
    for (const path of paths) {
      if (path !== '/sales/leads') await goAway(page, path)
      expect({ path, found: await violations(page), tooWide: await tooWide(page) }).toEqual({ path, found: [], tooWide: [] })
    }
  })

  for (const scheme of ['light', 'dark'] as const) {
    it(`has none with its popovers and dialogs open, ${scheme}`, async () => {
      const { page } = await open('/sales/leads', { scheme })
      await rows(page).first().waitFor()
      const check = async (name: string) => {
        // Open menus and pickers are at the end of the body, outside all landmarks: a best practice, no criterion of WCAG.
        const found = (await violations(page, rulesIn(scheme))).filter(({ id }) => id !== 'region')
        expect({ name, found }).toEqual({ name, found: [] })
        await page.keyboard.press('Escape')
        await page.locator('.view-header h1').click()
      }
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('combobox', { name: 'Value' }).waitFor()
      await check('filter')
      await page.getByRole('button', { name: 'Columns and density' }).click()
      await page.getByRole('checkbox', { name: 'Phone' }).waitFor()
      await check('columns')
      await page.getByRole('button', { name: /^Period/ }).click()
      await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
      await check('period')
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      await check('row menu')
      await rows(page).first().getByRole('checkbox').check()
      await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign' }).click()
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await check('bulk form')
      await page.goto(`/sales/leads?peek=${lead(1)}`)
      await page.getByRole('heading', { name: / 1$/ }).waitFor()
      await check('peek')
    })
  }
})
