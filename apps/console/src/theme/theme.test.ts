import { theme as antd } from 'antd'
import { describe, expect, it } from 'vitest'
import { antdTheme } from './antd-theme.ts'
import { themeScript } from './boot.ts'
import { lowContrastPairs } from '@outpost/rules/theme/contrast'
import { contrast, paletteOf } from '@outpost/rules/theme/palette'
import { themeForHost, themes } from '@outpost/rules/theme/themes'

const palettes = themes.flatMap((theme) =>
  (['light', 'dark'] as const).map((scheme) => ({ theme, scheme, name: `${theme.key} ${scheme}` })),
)

describe('the twelve themes', () => {
  it('are a default and eleven named ones, each with its own product name, hosts and logo', () => {
    expect(themes).toHaveLength(12)
    expect(themes[0].hosts).toEqual([])
    for (const key of ['key', 'productName'] as const) expect(new Set(themes.map((theme) => theme[key])).size).toBe(12)
    expect(new Set(themes.map((theme) => theme.mark.join())).size).toBe(12)
    const hosts = themes.flatMap((theme) => theme.hosts)
    expect(new Set(hosts).size).toBe(hosts.length)
  })

  it.each([
    ['sunrise.example.com', 'sunrise'],
    ['SUNRISE.lender.test', 'sunrise'],
    ['baobab.localhost', 'baobab'],
    ['localhost', 'outpost'],
    ['127.0.0.1', 'outpost'],
    ['notsunrise.example.com', 'outpost'],
  ])('%s is shown as %s', (host, key) => {
    expect(themeForHost(host).key).toBe(key)
    expect(bootedBrand(host)).toBe(key)
  })

  it.each(palettes)('$name: every text passes AA, every control border 3:1', ({ theme, scheme }) => {
    const palette = paletteOf(theme, scheme)
    const low = lowContrastPairs(palette)
    expect(low.map(({ name, text, ground }) => `${name} ${text} on ${ground}: ${contrast(text, ground).toFixed(2)}`)).toEqual([])
    expect(contrast(palette.control, palette.surface)).toBeGreaterThanOrEqual(3)
    expect(contrast(palette.primary, palette.page)).toBeGreaterThanOrEqual(3)
  })

  it.each(palettes)('$name: antd really uses the checked colours', ({ theme, scheme }) => {
    const palette = paletteOf(theme, scheme)
    const token = antd.getDesignToken(antdTheme(theme, scheme))
    expect(token).toMatchObject({
      colorPrimary: palette.primary,
      colorPrimaryHover: palette.primaryHover,
      colorText: palette.text,
      colorLink: palette.link,
      colorTextDescription: palette.textSoft,
      colorTextPlaceholder: palette.placeholder,
      colorError: palette.error,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBgSpotlight: palette.spotlight,
      colorTextLightSolid: palette.onSolid,
      colorBorder: palette.control,
    })
  })
})

describe('the boot script', () => {
  it('prefers the stored scheme to the system preference', () => {
    expect(boot('localhost', 'light', true).dataset.scheme).toBe('light')
    expect(boot('localhost', 'dark', false).dataset.scheme).toBe('dark')
    expect(boot('localhost', null, true).dataset.scheme).toBe('dark')
    expect(boot('localhost', null, false).style.backgroundColor).toBe(paletteOf(themes[0], 'light').page)
  })
})

interface Root {
  dataset: Record<string, string>
  style: Record<string, string>
}

/** Runs the boot script against a minimal fake page. */
function boot(hostname: string, stored: string | null, prefersDark: boolean): Root {
  const root: Root = { dataset: {}, style: {} }
  new Function('document', 'location', 'localStorage', 'matchMedia', themeScript())(
    { documentElement: root },
    { hostname },
    { getItem: () => stored },
    () => ({ matches: prefersDark }),
  )
  return root
}

function bootedBrand(host: string): string | undefined {
  return boot(host, 'light', false).dataset.brand
}
