// First, so that our own styles come after those of antd.
import 'virtual:antd.css'
import { createRoot } from 'react-dom/client'
import { Root } from './app.tsx'
import { watchConnection } from './data/connection.ts'
import { watchErrors } from './data/errors/error-log.ts'
import { watchInstallOffer } from './device/install.ts'
import { beforeShown } from './session/enter.ts'
import { keepSessionAlive } from './session/keep-alive.ts'
import { startSession } from './session/start.ts'
import { prepareFirstScreen } from './shell/layout/later.ts'
import './theme/base.css'
import './theme/hues.css'

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root.')
watchConnection()
watchErrors()
watchInstallOffer()
keepSessionAlive()
beforeShown(prepareFirstScreen)
void startSession()
createRoot(place).render(<Root />)
