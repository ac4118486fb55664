import { describe, expect, it } from 'vitest'
import { findViolations, refuse, tooWide } from './support/browser.ts'
import { fixtureLayout, fixtureToken } from './support/fixture.ts'
import { status, useLeads } from './support/leads.ts'
import { useSite } from './support/site.ts'
import { viewLayout } from './support/views.ts'

const site = useSite()
const openLeads = useLeads()
const sessions = { 'GET /api/console/screens/*': () => ({ view: { kind: 'custom', screen: 'none', title: 'Leads' } }) }

describe('the language of the console', () => {
  it('is chosen at the sign-in screen, kept on the device and followed by page, dates and controls', async () => {
    const { page } = await site.open({ width: 360, height: 740 })
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const [code, heading, lang] of [
      ['fr', 'Se connecter', 'fr-FR'],
      ['sw', 'Ingia', 'sw-KE'],
      ['pt', 'Iniciar sessão', 'pt-PT'],
    ] as const) {
      await page.locator('.o-public-language select').selectOption(code)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect([await page.evaluate(() => document.documentElement.lang), await tooWide(page)]).toEqual([lang, []])
    }
    expect(await findViolations(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Iniciar sessão' }).waitFor()
    await page.getByRole('button', { name: 'Iniciar sessão' }).click()
    await page.getByText('Introduza a sua palavra-passe.').waitFor()
  })

  it('is that of what the server says too: news on the bell and why something was refused', async () => {
    const plain = fixtureLayout()
    const news = {
      Id: '1',
      itemType: 'Message',
      message: 'A lead was assigned to you',
      link: '/profile',
      dateCreated: new Date().toISOString(),
    }
    const { page } = await site.open({
      layout: plain,
      answers: {
        'GET /api/console': () => ({ ...plain, user: { ...plain.user, preferences: { language: 'sw' } } }),
        'GET /api/console/screens/*': (route) => refuse(route, 409, 'CONFLICT', 'This lead is a client already.'),
        'GET /api/notification/unreadnotifications': () => ({ notifications: [news], count: 1 }),
      },
    })
    await page.goto('/sales/leads')
    await page.getByText('Mteja tarajiwa huyu tayari ni mteja.').waitFor()
    await page.getByRole('button', { name: 'Arifa, 1 haijasomwa' }).click()
    await page.getByRole('link', { name: 'Umepewa mteja tarajiwa' }).waitFor()
  })

  it('is that of its sentences with names and numbers in them: on a field, in the notice of a save, on the bell', async () => {
    const plain = viewLayout()
    let isRight = false
    const news = {
      Id: '1',
      itemType: 'Message',
      message: '3 leads were assigned to you',
      link: '/profile',
      dateCreated: new Date().toISOString(),
    }
    const { page } = await openLeads('/sales/leads/create', {
      layout: { ...plain, user: { ...plain.user, preferences: { language: 'fr' } } },
      answers: {
        'GET /api/notification/unreadnotifications': () => ({ notifications: [news], count: 1 }),
        'POST /api/leads': async (route) => {
          if (isRight)
            return void (await route.fulfill({
              json: { success: true, data: { lead: { Id: 'n1' } }, message: 'Ann <b> $t(Lead) {{count}} has 4 new leads' },
            }))
          return refuse(route, 422, 'INVALID', 'Some fields are not valid.', {
            fields: [{ field: 'emailAddress', message: 'may hold 1 character at most' }],
          })
        },
      },
    })
    await page.getByLabel('Prénom').fill('Amina')
    await page.getByLabel('Nom', { exact: true }).fill('Otieno')
    await page.getByLabel('Téléphone').fill('0799999999')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await status(page, 'E-mail peut compter au plus 1 caractère')
    isRight = true
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Ann <b> $t(Lead) {{count}} a 4 nouveaux prospects').waitFor()
    await page.getByRole('button', { name: /1 non lue/ }).click()
    await page.getByRole('link', { name: '3 prospects vous ont été attribués' }).waitFor()
  })

  it("becomes the person's own at sign-in, and says why a sign-in failed in it", async () => {
    const plain = fixtureLayout({ language: [{ label: 'Leads', value: 'Wakopaji' }] })
    let isRight = false
    const { page } = await site.open({
      answers: {
        ...sessions,
        'POST /api/auth/login': (route) =>
          isRight
            ? { token: fixtureToken(), serverNow: new Date().toISOString() }
            : refuse(route, 401, 'INVALID_CREDENTIALS', 'Invalid credentials'),
        'GET /api/console': () => ({ ...plain, user: { ...plain.user, preferences: { language: 'sw' } } }),
      },
    })
    await page.goto('/login')
    await page.locator('.o-public-language select').selectOption('fr')
    await page.getByLabel('E-mail ou nom d’utilisateur').fill('grace')
    await page.getByLabel('Mot de passe', { exact: true }).fill('outpost-demo-2026')
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByText('Identifiants incorrects').waitFor()
    isRight = true
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByRole('link', { name: 'Dashibodi' }).waitFor()
    await page.getByRole('button', { name: 'Mauzo' }).click()
    // The company's own wording lies above each language.
    await page.getByRole('link', { name: 'Wakopaji' }).waitFor()
  })

  it('and the look are changed in the profile, at once and without a connection too; the server gets it later', async () => {
    const told: object[] = []
    const { page, setOffline } = await site.open({
      layout: fixtureLayout(),
      answers: {
        ...sessions,
        'PUT /api/users/preferences': (route) => {
          told.push(route.request().postDataJSON() as object)
          return { preferences: {} }
        },
      },
    })
    await page.goto('/profile')
    const choose = async (name: string, option: string) => {
      await page.getByRole('combobox', { name }).click()
      await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByText(option, { exact: true }).click()
    }
    await choose('Menu', 'Dark')
    await page.locator('.o-side[data-sidebar=dark]').waitFor()
    await expect.poll(() => told).toEqual([{ sidebar: 'dark' }])
    await choose('Lists', 'Compact')
    await expect.poll(() => told.at(-1)).toEqual({ density: 'compact' })
    expect(await findViolations(page)).toEqual([])
    await setOffline(true)
    await choose('Language', 'Français')
    await page.getByRole('heading', { name: 'Langue et apparence' }).waitFor()
    expect(told).toHaveLength(2)
    await setOffline(false)
    await page.reload()
    await page.getByRole('heading', { name: 'Langue et apparence' }).waitFor()
    await expect.poll(() => told.at(-1)).toEqual({ language: 'fr' })
  })

  it('is readable in every look of the menu, light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const)
      for (const sidebar of ['dark', 'colored', 'compact', 'icon'] as const) {
        const plain = fixtureLayout()
        const layout = { ...plain, user: { ...plain.user, preferences: { sidebar, width: 'boxed' as const } } }
        const { page } = await site.open({ layout, scheme, width: 1920, answers: sessions })
        await page.goto('/profile')
        await page.getByRole('heading', { name: 'Language and look' }).waitFor()
        expect({ scheme, sidebar, found: await findViolations(page, ['color-contrast']) }).toEqual({ scheme, sidebar, found: [] })
      }
  })
})
