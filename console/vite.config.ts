import { WEB_BUILD } from '../web/vite.ts'

export default WEB_BUILD
