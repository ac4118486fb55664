import { Connections } from './Connections.tsx'
import { ExpiryWarning } from './ExpiryWarning.tsx'
import { FieldWatch } from './FieldWatch.tsx'
import { DevicePassword } from './DevicePassword.tsx'
import { OldPassword } from './OldPassword.tsx'
import { PendingDialog } from './PendingDialog.tsx'

/** What a signed-in user needs beside the screens: connections, the watch over the field, the warning before the session ends, the question at sign-out and the one for an old password. */
export function SignedInParts() {
  return (
    <>
      <Connections />
      <FieldWatch />
      <ExpiryWarning />
      <PendingDialog />
      <OldPassword />
      <DevicePassword />
    </>
  )
}
