import { App, Button } from 'antd'
import { forgetDataKey } from '../../session/unlock.ts'
import { requestSignOut } from '../sign-out.ts'

/** Takes the user's offline data off this device, as before it is handed on. */
export function DeviceCard({ email }: { email: string }) {
  const { modal } = App.useApp()
  const forget = async (): Promise<void> => {
    if (await requestSignOut()) await forgetDataKey(email)
  }
  const ask = (): void => {
    modal.confirm({
      title: 'Remove your data from this device?', okText: 'Remove and sign out', okButtonProps: { danger: true }, onOk: forget,
      content: 'What is kept here for offline work can then never be opened again. Everything at the server stays.',
    })
  }
  return (
    <section className="o-card" aria-label="This device">
      <h2>This device</h2>
      <p>Your records are kept here, locked with your password, so that you can work without a connection.</p>
      <Button danger onClick={ask}>Remove my data from this device</Button>
    </section>
  )
}
