"""everyword as ONNX: the form encoder of a model in one file that other languages and programs can run."""
