// Khronos validator over the given files: one line of JSON each, {file, errors, warnings, messages}.
//   npm install --no-save --prefix DIR gltf-validator
//   NODE_PATH=DIR/node_modules node tools/validate_gltf.cjs a.glb b.glb
const fs = require("fs");
const validator = require("gltf-validator");

(async () => {
  for (const file of process.argv.slice(2)) {
    const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 1000 });
    const messages = issues.messages.map((each) => `${each.code} at ${each.pointer}`);
    console.log(JSON.stringify({ file, errors: issues.numErrors, warnings: issues.numWarnings, messages }));
  }
})();
