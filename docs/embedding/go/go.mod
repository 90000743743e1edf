module numel

go 1.19
