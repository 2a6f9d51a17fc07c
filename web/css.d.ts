// test/styles.test.ts compares the names with the classes of the file.
declare module '*.module.css' {
  const styles: { readonly [className: string]: string }
  export default styles
}

/** Global: imported for its effect. */
declare module '*.css'
