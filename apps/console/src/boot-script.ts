import { earlyScript } from './session/early-script.ts'
import { themeScript } from './theme/boot.ts'

/** Source of the boot script, which runs before the page is drawn and before the program is loaded. */
export const bootScript = (version: string): string => `${themeScript()};\n${earlyScript(version)}`
