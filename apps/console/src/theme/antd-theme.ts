import { theme as antd } from 'antd'
import type { ThemeConfig } from 'antd'
import { paletteOf } from '@outpost/rules/theme/palette'
import type { Palette } from '@outpost/rules/theme/palette'
import type { Scheme, Theme } from '@outpost/rules/theme/themes'

type Algorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, unknown[]>

/**
 * The antd theme of one palette. antd's own derivation fails AA (white on a lightened hover, grey hints), so the last algorithm
 * overrides the derived colours with our checked ones.
 */
export function antdTheme(theme: Theme, scheme: Scheme): ThemeConfig {
  const palette = paletteOf(theme, scheme)
  const base = scheme === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm
  return {
    cssVar: { key: `outpost-${theme.key}-${theme.light.primary.slice(1)}-${scheme}` },
    hashed: false,
    // The build has the styles in a file (antd/static-styles.ts).
    zeroRuntime: import.meta.env.PROD,
    algorithm: [base, checkedColours(palette)],
    token: { ...seeds(palette), ...shape, ...aliases(palette) },
    components: components(palette),
  }
}

const shape = {
  fontFamily: "'Segoe UI Variable Text', 'Segoe UI', system-ui, -apple-system, Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontSize: 14,
  borderRadius: 8,
  controlHeight: 36,
  controlHeightSM: 28,
  wireframe: false,
} as const

function seeds(palette: Palette): Partial<NonNullable<ThemeConfig['token']>> {
  return {
    colorPrimary: palette.primary,
    colorInfo: palette.primary,
    colorLink: palette.link,
    colorSuccess: palette.success,
    colorWarning: palette.warning,
    colorError: palette.error,
    colorBgBase: palette.surface,
    colorTextBase: palette.text,
  }
}

function aliases(palette: Palette): Partial<NonNullable<ThemeConfig['token']>> {
  return {
    colorTextPlaceholder: palette.placeholder,
    colorTextDescription: palette.textSoft,
    colorTextHeading: palette.text,
    colorTextLabel: palette.textSoft,
    colorTextLightSolid: palette.onSolid,
    colorIcon: palette.textSoft,
    colorIconHover: palette.text,
    colorSplit: palette.line,
    controlItemBgActive: palette.primarySoft,
    controlItemBgActiveHover: palette.primarySoft,
    colorLinkHover: palette.primaryHover,
    controlOutlineWidth: 2,
  }
}

function checkedColours(palette: Palette): Algorithm {
  return (seed, map) => ({
    ...(map ?? antd.defaultAlgorithm(seed)),
    colorPrimary: palette.primary,
    colorPrimaryHover: palette.primaryHover,
    colorPrimaryActive: palette.primaryActive,
    colorPrimaryBg: palette.primarySoft,
    colorPrimaryBgHover: palette.primarySoft,
    colorPrimaryText: palette.link,
    colorPrimaryTextHover: palette.link,
    colorPrimaryTextActive: palette.link,
    colorInfo: palette.link,
    colorInfoBg: palette.primarySoft,
    colorLink: palette.link,
    colorLinkHover: palette.link,
    colorSuccess: palette.success,
    colorSuccessBg: palette.successSoft,
    colorSuccessText: palette.success,
    colorWarning: palette.warning,
    colorWarningBg: palette.warningSoft,
    colorWarningText: palette.warning,
    colorError: palette.error,
    colorErrorBg: palette.errorSoft,
    colorErrorText: palette.error,
    colorErrorHover: palette.error,
    colorErrorTextHover: palette.error,
    colorErrorTextActive: palette.error,
    colorText: palette.text,
    colorTextSecondary: palette.textSoft,
    colorTextTertiary: palette.textSoft,
    colorBgLayout: palette.page,
    colorBgContainer: palette.surface,
    colorBgElevated: palette.raised,
    colorBgSpotlight: palette.spotlight,
    colorBorder: palette.control,
    colorBorderSecondary: palette.line,
  })
}

function components(palette: Palette): NonNullable<ThemeConfig['components']> {
  return {
    Button: {
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      primaryColor: palette.onSolid,
      dangerColor: palette.onSolid,
      fontWeight: 500,
    },
    Avatar: { colorTextPlaceholder: palette.avatar, colorTextLightSolid: '#ffffff' },
    Tooltip: { colorTextLightSolid: palette.onSolid },
    Badge: { colorTextLightSolid: palette.onSolid },
    Menu: {
      itemBg: 'transparent',
      subMenuItemBg: 'transparent',
      itemSelectedBg: palette.primarySoft,
      itemSelectedColor: palette.link,
      itemColor: palette.text,
      itemHeight: 38,
      activeBarBorderWidth: 0,
      iconSize: 16,
      collapsedIconSize: 18,
      groupTitleColor: palette.textSoft,
    },
    Table: { headerBg: palette.page, headerColor: palette.textSoft, rowSelectedBg: palette.primarySoft },
    Form: { labelColor: palette.text, itemMarginBottom: 20 },
    Layout: { bodyBg: palette.page, siderBg: palette.surface, headerBg: palette.topBar },
  }
}
