export { ProfileScreen } from './ProfileScreen.tsx'
export { EditProfileScreen } from './EditProfileScreen.tsx'
export { ChangePasswordScreen } from './ChangePasswordScreen.tsx'
